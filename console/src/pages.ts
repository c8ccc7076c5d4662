// Every page of the console, in the order of the navigation. A page is a file that exports a component; it is loaded when
// somebody opens it.

import type { ComponentType } from "preact";
import type { IconName } from "./ui/icon";

export interface Page {
  /** The first part of the address: "#/tables". */
  id: string;
  title: string;
  icon: IconName;
  section: "Data" | "Model" | "Search and changes" | "Server";
  /** The component takes its parameters from `route` (state/router.ts). */
  load: () => Promise<{ default: ComponentType }>;
}

export const pages: readonly Page[] = [
  { id: "tables", title: "Tables", icon: "table", section: "Data", load: () => import("./pages/tables/page") },
  { id: "query", title: "Query", icon: "query", section: "Data", load: () => import("./pages/query/page") },
  { id: "partiql", title: "PartiQL", icon: "code", section: "Data", load: () => import("./pages/partiql/page") },
  { id: "models", title: "Models", icon: "model", section: "Model", load: () => import("./pages/models/page") },
  { id: "entities", title: "Entities", icon: "entity", section: "Model", load: () => import("./pages/entities/page") },
  { id: "documents", title: "Documents", icon: "document", section: "Model", load: () => import("./pages/documents/page") },
  { id: "relations", title: "Relations", icon: "relation", section: "Model", load: () => import("./pages/relations/page") },
  { id: "leases", title: "Leases and pages", icon: "lease", section: "Model", load: () => import("./pages/leases/page") },
  { id: "vectors", title: "Vectors", icon: "vector", section: "Search and changes", load: () => import("./pages/vectors/page") },
  { id: "streams", title: "Streams", icon: "stream", section: "Search and changes", load: () => import("./pages/streams/page") },
  { id: "metrics", title: "Metrics", icon: "metrics", section: "Server", load: () => import("./pages/metrics/page") },
  { id: "faults", title: "Fault lab", icon: "fault", section: "Server", load: () => import("./pages/faults/page") },
  { id: "backups", title: "Backups", icon: "backup", section: "Server", load: () => import("./pages/backups/page") },
];
