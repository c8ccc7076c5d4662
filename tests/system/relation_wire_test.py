#!/usr/bin/python3
"""Relations over the wire (Dolmen_20261115.*): a program in any language uses them with plain HTTP and JSON."""

import http.client
import json
import pathlib
import unittest

from dolmen_server import ROOT, Server, headers_for, run

TYPES = (ROOT / "examples/company.yml").read_text()
TABLE = {"table": "system"}
SYSTEM, ACCOUNT, OTHER = "urn:pp:System::main", "urn:pp:System.Account::acme", "urn:pp:System.Account::bolt"
TEAM, JOB, ADA = "urn:pp:System.Account.Team::paint", "urn:pp:System.Account.Job::j1", "urn:pp:System.User::ada"


class RelationWireTest(unittest.TestCase):
    def setUp(self):
        self.data = pathlib.Path(self._testMethodName).absolute()
        self.server = Server(data=self.data)
        self.server.start()
        self.addCleanup(self.server.close)

    def post(self, operation, body):
        """Nothing but HTTP: a POST with a target and JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        headers = headers_for(operation) | {"X-Amz-Target": f"Dolmen_20261115.{operation}"}
        connection.request("POST", "/", json.dumps(TABLE | body), headers)
        answer = connection.getresponse()
        text = json.loads(answer.read())
        connection.close()
        return answer.status, text

    def must(self, operation, **body):
        status, answer = self.post(operation, body)
        self.assertEqual(status, 200, answer)
        return answer

    def refused(self, operation, **body):
        status, answer = self.post(operation, body)
        self.assertEqual(status, 400, answer)
        return answer["__type"].split("#")[1]

    def make_company(self):
        self.must("BindRelations", text=TYPES)
        self.must("CreateResource", type="System", id="main", attributes={"name": {"S": "Company"}})
        for account, name in (("acme", "Acme"), ("bolt", "Bolt")):
            self.must("CreateResource", type="System.Account", id=account, parent=SYSTEM,
                      unique=[{"key": "name", "value": name}])
        self.must("CreateResource", type="System.Account.Team", id="paint", parent=ACCOUNT)
        self.must("CreateResource", type="System.User", id="ada", unique=[{"key": "email", "value": "ada@example.org"}],
                  collections=[{"collection": TEAM, "conveys_authorization": True}])
        self.must("CreateResource", type="System.Account.Job", id="j1", parent=TEAM,
                  unique=[{"key": "code", "value": "J1"}], attributes={"title": {"S": "Paint"}, "hours": {"N": "1.5"}})

    def test_resources_and_their_links(self):
        self.make_company()
        self.assertEqual(self.must("DescribeRelations"), TABLE | {"text": TYPES})
        job = self.must("GetResource", urn=JOB)
        self.assertEqual((job["account"], job["parent"], job["schema_version"]), (ACCOUNT, TEAM, 2))
        self.assertEqual(job["attributes"], {"title": {"S": "Paint"}, "hours": {"N": "1.5"}, "code": {"S": "J1"}})
        changed = self.must("UpdateResource", urn=JOB, set={"title": {"S": "New"}}, remove=["hours"],
                            if_updated_at=job["updated_at"])
        self.assertEqual(changed["attributes"], {"title": {"S": "New"}, "code": {"S": "J1"}})
        self.assertEqual(self.must("GetResources", urns=[JOB, "urn:pp:System::none"])["resources"], [changed, None])
        self.assertEqual([each["urn"] for each in self.must("ListChildren", urn=ACCOUNT)["children"]], [TEAM])
        self.assertEqual(self.must("ListChildren", urn=TEAM, type="System.Account.Job")["resources"], [changed])
        self.assertEqual(self.must("ListChildren", urn=TEAM, type="System.User")["resources"], [])
        self.assertEqual(self.must("ListMembers", urn=TEAM)["memberships"][0]["member"], ADA)
        self.assertEqual(self.must("ListMembers", urn=TEAM, resources=True)["resources"][0]["urn"], ADA)
        self.assertEqual(self.must("ListCollections", urn=ADA)["memberships"][0]["collection"], TEAM)
        self.assertEqual(self.must("ListAncestors", urn=JOB)["urns"], [SYSTEM, ACCOUNT, TEAM])
        self.assertEqual([each["depth"] for each in self.must("ListDescendants", urn=ACCOUNT)["descendants"]], [1, 2])
        self.assertEqual(self.must("ListAuthorizationPath", urn=ADA)["urns"], [ADA, TEAM, ACCOUNT, SYSTEM])
        page = self.must("ListAuthorizationReach", urn=TEAM, limit=2)
        self.assertEqual(page["urns"], [TEAM, JOB])
        self.assertEqual(self.must("ListAuthorizationReach", urn=TEAM, limit=2, token=page["token"]), {"urns": [ADA]})
        roots = self.must("ListResources", roots=True)["resources"]
        self.assertEqual(sorted(each["urn"] for each in roots), [ADA, SYSTEM])
        self.assertEqual(self.must("ListResources", account=ACCOUNT, type="System.Account.Job")["resources"], [changed])
        self.assertEqual(self.must("DetachResource", urn=JOB), {"changed": True})
        self.assertEqual(self.must("AttachResource", urn=JOB, parent=TEAM), {"changed": True})
        self.assertEqual(self.must("AttachResource", urn=JOB, parent=TEAM), {"changed": False})
        self.assertEqual(self.must("RemoveMember", urn=ADA, collection=TEAM), {"changed": True})
        self.assertEqual(self.must("AddMember", urn=ADA, collection=TEAM), {"changed": True})

    def test_unique_values(self):
        self.make_company()
        email = {"type": "System.User", "key": "email"}
        self.assertEqual(self.must("FindValue", **email, value="ADA@example.org")["owner"], ADA)
        self.assertEqual(self.must("FindValue", **email, value="nobody@example.org"), {})
        self.must("ReserveValue", **email, value="boss@example.org")
        self.assertEqual(self.refused("ReserveValue", **email, value="boss@example.org"), "UniqueViolation")
        self.assertEqual([each["value"] for each in self.must("ListValues", **email)["values"]],
                         ["ada@example.org", "boss@example.org"])
        self.must("TransferValue", **email, value="boss@example.org", to=ADA)
        self.assertEqual(self.must("ReleaseValue", **email, value="ada@example.org"), {"released": False})

    def test_deletes_refuse_cascade_and_reassign(self):
        self.make_company()
        self.assertEqual(self.refused("DeleteResource", urn=ACCOUNT, mode="restrict"), "ResourceInUse")
        plan = self.must("DeleteResource", urn=ACCOUNT, mode="reassign", reassign_to=OTHER, dry_run=True)
        self.assertEqual(plan["references"], {"children": 1, "of_account": 2})
        self.assertEqual(self.must("ReassignAccount", urn=JOB, account=OTHER, parent=OTHER), {"resources": 1})
        self.assertEqual(self.must("DeleteResource", urn=ACCOUNT, mode="reassign", reassign_to=OTHER)["references"],
                         {"children": 1, "of_account": 1})
        self.assertEqual(self.must("GetResource", urn=TEAM)["account"], OTHER)
        self.assertEqual(self.must("VerifyRelations", whole_table=True)["findings"], [])
        self.assertEqual(self.must("DeleteResource", urn=SYSTEM)["deleted"]["resources"], 4)
        self.assertEqual(self.must("ListDeletes"), {"jobs": []})
        self.assertEqual(self.must("ResumeDeletes"), {"jobs": []})
        self.assertEqual(self.must("RepairRelations", whole_table=True)["findings"], [])

    def test_types_that_are_bound_hold_for_everybody(self):
        self.make_company()
        flags = ["--endpoint", self.server.url]
        taken = run("relation", "create", "System.Account", "--id", "copy", "--set", "name=ACME", "--json", *flags)
        self.assertEqual(json.loads(taken.out)["error"], "UniqueViolation", "the command line knows the types of the table")
        self.must("BindRelations", types={"ids": "any", "types": [{"name": "Note"}]})
        self.assertEqual(self.refused("CreateResource", type="System", id="two"), "InvalidResource")
        self.must("CreateResource", type="Note", id="one")
        self.assertEqual(self.refused("BindRelations", types={"types": [{"name": "Note", "model": {"file": "/etc/hosts", "name": "x"}}]}),
                         "ValidationException")
        self.assertEqual(self.refused("BindRelations", types={"types": [{}]}), "ValidationException")
        self.assertEqual(self.must("GetResource", urn="urn:pp:Note::one")["type"], "Note", "a refused bind changes nothing")
        pathlib.Path("any.yml").write_text("ids: any\ntypes: [{name: Note}, {name: Page}]\n")
        self.assertEqual(run("relation", "bind", "any.yml", *flags).out, "bound any.yml to system\n")
        self.must("CreateResource", type="Page", id="one")
        self.assertEqual(self.must("BindRelations", table="free"), {"table": "free"})
        self.must("CreateResource", table="free", type="Any.Type", id="1")

    def test_errors_have_names(self):
        self.make_company()
        for operation, body, name in (
                ("GetResource", {"urn": "urn:pp:System::none"}, "ResourceNotFound"),
                ("GetResource", {"urn": "nonsense"}, "InvalidUrn"),
                ("GetResource", {}, "QUERY_INVALID"),
                ("GetResource", {"urn": JOB, "colour": 1}, "QUERY_INVALID"),
                ("GetResource", {"urn": JOB, "table": "nowhere"}, "ResourceNotFoundException"),
                ("GetResource", {"urn": JOB, "table": "dolmen:documents"}, "ValidationException"),
                ("BindRelations", {"table": "dolmen:documents"}, "ValidationException"),
                ("CreateResource", {"type": "System.Account.Job", "id": "j1", "parent": TEAM}, "ResourceExists"),
                ("CreateResource", {"type": "System.Account.Job", "parent": "urn:pp:System::none"}, "ParentNotFound"),
                ("CreateResource", {"type": "Unknown"}, "InvalidResource"),
                ("CreateResource", {"type": "System.User", "attributes": {"x": "plain"}}, "SerializationException"),
                ("UpdateResource", {"urn": JOB, "if_updated_at": "1999"}, "ConditionalCheckFailedException"),
                ("AttachResource", {"urn": SYSTEM, "parent": TEAM}, "AccountMismatch"),
                ("AttachResource", {"urn": TEAM, "parent": TEAM}, "Cycle"),
                ("ListChildren", {"urn": TEAM, "limit": "many"}, "QUERY_INVALID"),
                ("ListChildren", {"urn": TEAM, "limit": 0}, "ValidationException"),
                ("ListChildren", {"urn": TEAM, "token": "x"}, "InvalidPageToken"),
                ("DeleteResource", {"urn": TEAM, "mode": "burn"}, "QUERY_INVALID"),
                ("DeleteResource", {"urn": TEAM, "mode": "reassign"}, "ValidationException")):
            self.assertEqual(self.refused(operation, **body), name, (operation, body))
        _, answer = self.post("GetResource", {"urn": "urn:pp:System::none"})
        self.assertEqual(answer["code"], "ResourceNotFound")

    def test_a_delete_that_the_server_did_not_end_goes_on_after_its_start(self):
        self.must("BindRelations")
        self.must("CreateResource", type="Node", id="root")
        for i in range(300):
            self.must("CreateResource", type="Node", id=f"n{i}", parent="urn:pp:Node::root")
        # As a crash leaves it: the root is marked, and the job waits.
        job, queue, time = "urn:dolmen:Dolmen.DeleteJob::0195", "urn:dolmen:Dolmen.DeleteQueue::pending", "2026-11-02T10:15:30.123Z"

        def own(urn, type_name, **more):
            return {"PK": {"S": f"Resource#{urn}"}, "SK": {"S": f"Resource#{urn}"}, "_recordType": {"S": "Resource"},
                    "_resourceType": {"S": type_name}, "_id": {"S": urn.rpartition(":")[2]}, "urn": {"S": urn},
                    "_schemaVersion": {"N": "1"}, "_createdAt": {"S": time}, "_updatedAt": {"S": time},
                    "_links": {"N": "0"}, "_memberOf": {"N": "0"}, "_height": {"N": "1"}} | more
        edge = {"PK": {"S": f"Parent#{queue}"}, "SK": {"S": f"Child#{job}"}, "_recordType": {"S": "ParentChildRelationship"},
                "parentUrn": {"S": queue}, "childUrn": {"S": job}, "_createdAt": {"S": time}}
        for item in (own(queue, "Dolmen.DeleteQueue"), edge,
                     own(job, "Dolmen.DeleteJob", _parentUrn={"S": queue}, root={"S": "urn:pp:Node::root"},
                         kind={"S": "cascade"})):
            self.server.must("PutItem", {"TableName": "system", "Item": item})
        root = {"S": "Resource#urn:pp:Node::root"}
        self.server.must("UpdateItem", {"TableName": "system", "Key": {"PK": root, "SK": root},
                                        "UpdateExpression": "SET #j = :j", "ExpressionAttributeNames": {"#j": "_deleteJob"},
                                        "ExpressionAttributeValues": {":j": {"S": job}}})
        self.assertEqual(self.server.stop().code, 0)
        self.server = Server(data=self.data, flags=["--no-resume"])
        self.addCleanup(self.server.close)
        self.server.start()
        self.assertEqual([each["root"] for each in self.must("ListDeletes")["jobs"]], ["urn:pp:Node::root"])
        self.assertEqual(self.server.stop().code, 0)
        self.server = Server(data=self.data)
        self.addCleanup(self.server.close)
        self.server.start()
        while self.must("ListDeletes")["jobs"]:
            pass
        self.assertEqual(self.must("ListResources")["resources"], [])
        self.assertIn("system: completed the interrupted cascade of urn:pp:Node::root", self.server.stop().err)


if __name__ == "__main__":
    unittest.main()
