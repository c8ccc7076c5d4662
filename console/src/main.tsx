import { render } from "preact";
import { App } from "./app";
import "./state/theme";
import { refuseStrayFiles } from "./ui/file_drop";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no element #app");
refuseStrayFiles();
render(<App />, root);
