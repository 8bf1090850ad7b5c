/** `openclaw clawxrouter dashboard`: a link that signs a browser in once. */
import { spawn } from "node:child_process";
import type { Engine } from "../engine/engine.ts";
import { canConnect } from "../engine/probe.ts";
import { CODE_LIFETIME_MS, issueCode } from "../web/auth/one-time.ts";
import { gatewayOrigin } from "../web/origin.ts";
import { BASE_PATH, CODE_FRAGMENT } from "../web/routes.ts";
import { type Command, fail, print, printJson } from "./command.ts";
import { say } from "./language.ts";

const DEFAULT_PORT = 18_789;

export function addDashboardCommand(root: Command, engine: () => Engine): void {
  root
    .command("dashboard")
    .description(say("Open the dashboard by a one-time link", "用一次性链接打开控制台"))
    .option("--no-open", say("print the link only", "只打印链接"))
    .option(
      "--host <host>",
      say(
        "host and port of the gateway as your browser reaches it, e.g. of a tunnel",
        "浏览器访问网关所用的主机和端口，例如隧道地址",
      ),
    )
    .option("--json", say("machine-readable", "机器可读"))
    .action(async (options: { open: boolean; host?: string; json?: boolean }) => {
      const now = engine();
      const port = now.host().gatewayPort ?? (Number(process.env.OPENCLAW_GATEWAY_PORT) || DEFAULT_PORT);
      const origin = originOf(options.host ?? gatewayOrigin(now.hostConfig(), port));
      if (origin === undefined)
        return fail(
          say(
            "--host: give a host name with or without port, e.g. box.lan:18789",
            "--host：请给出主机名，可带端口，例如 box.lan:18789",
          ),
        );
      const url = `${origin}${BASE_PATH}#${CODE_FRAGMENT}=${issueCode(now.dataDir)}`;
      const minutes = CODE_LIFETIME_MS / 60_000;
      if (options.json) return printJson({ url, expiresInSeconds: CODE_LIFETIME_MS / 1_000 });
      print(url);
      if (options.host === undefined && !(await canConnect(port)))
        print(
          say(
            `Nothing answers on port ${port}: start the gateway first (openclaw gateway).`,
            `端口 ${port} 没有应答：请先启动网关（openclaw gateway）。`,
          ),
        );
      print(say(`Good once, for ${minutes} minutes.`, `链接只能使用一次，${minutes} 分钟内有效。`));
      if (options.open && process.stdout.isTTY) openBrowser(url);
    });
}

function originOf(host: string): string | undefined {
  const given = /^https?:\/\//.test(host) ? host : `http://${host}`;
  if (!URL.canParse(given)) return undefined;
  const { origin, pathname, search, hash, username } = new URL(given);
  return pathname === "/" && search === "" && hash === "" && username === "" ? origin : undefined;
}

/** The link is an argument of the user's own process; it is used up when the page opens. */
function openBrowser(url: string): void {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler", url]
        : ["xdg-open", url];
  if (command === undefined) return;
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {
    // There is no browser here: the link was printed.
  });
  child.unref();
}
