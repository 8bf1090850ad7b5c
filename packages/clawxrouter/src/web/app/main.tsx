import "./styles/index.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { showTheme } from "./state/theme.ts";

showTheme();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
