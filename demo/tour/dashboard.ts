import { DashboardClient, oneTimeLink } from "../../e2e/dashboard/client.ts";
import type { Step } from "./context.ts";

const dashboard: Step = {
  title: (tour) => tour.say("ClawXRouter 面板", "The ClawXRouter dashboard"),
  async run(tour) {
    const link = await oneTimeLink(tour.gateway);
    const code = { code: link.slice(link.indexOf("=") + 1) };
    const client = new DashboardClient(Number(new URL(tour.gateway.url).port));
    const stranger = await client.send("summary", "", undefined);
    const first = await client.signIn(code);
    const second = await new DashboardClient(client.port).signIn(code);
    // What is counted is written down once a second.
    let { requests, cost } = await client.get("summary", "?days=1");
    const wire = tour.cloud.requests.length;
    for (let i = 0; i < 20 && requests.byRoute.cloud + requests.byRoute.redacted < wire; i++) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      ({ requests, cost } = await client.get("summary", "?days=1"));
    }
    const { cloud, redacted, local } = requests.byRoute;
    if (cost.savedUsd !== null && cost.ifDefaultUsd !== null)
      tour.screen.line(
        tour.say(
          `    花费 $${cost.spentUsd.toFixed(4)}；若都用默认模型 $${cost.ifDefaultUsd.toFixed(4)}，省下 $${cost.savedUsd.toFixed(4)}`,
          `    spent $${cost.spentUsd.toFixed(4)}; $${cost.ifDefaultUsd.toFixed(4)} if all had gone to the default model: $${cost.savedUsd.toFixed(4)} saved`,
        ),
      );
    return [
      {
        ok: stranger.status === 401 && first.status === 200 && second.status === 401,
        text: tour.say(
          "没有会话看不到数据；命令行给的链接登录一次，第二次无效",
          "nobody sees a number without a session; the command's link signs in once, and not twice",
        ),
      },
      {
        ok: cloud + redacted === wire && wire > 0,
        text: tour.say(
          `云端收到 ${wire} 个请求，面板显示 ${cloud} 个原样、${redacted} 个脱敏；本地 ${local} 个`,
          `the cloud got ${wire} requests; the page counts ${cloud} as they were, ${redacted} redacted, and ${local} local ones`,
        ),
      },
    ];
  },
};

export const dashboardSteps: Step[] = [dashboard];
