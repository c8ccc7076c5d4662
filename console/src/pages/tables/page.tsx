import { route } from "../../state/router";
import { TableList } from "./list";
import { TablePage } from "./table";
import "./tables.css";

export default function PageView() {
  const name = route.value.parts[1];
  return name === undefined ? <TableList /> : <TablePage key={name} name={name} />;
}
