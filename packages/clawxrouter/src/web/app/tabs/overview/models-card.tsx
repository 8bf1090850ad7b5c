import type { ModelTotals } from "../../../contract.ts";
import { Tag } from "../../components/badges.tsx";
import { Card } from "../../components/card.tsx";
import { Empty } from "../../components/notes.tsx";
import { TableScroll } from "../../components/table-scroll.tsx";
import { commonWords } from "../../i18n/common.ts";
import { compact, count, usd } from "../../i18n/format.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { say } from "../../i18n/words.ts";

export function ModelsCard({ models }: { models: readonly ModelTotals[] }) {
  const text = say(overviewWords);
  const common = say(commonWords);
  return (
    <Card title={text.models} help={text.modelsHelp} width="w8">
      {models.length === 0 ? (
        <Empty title={text.quiet} />
      ) : (
        <TableScroll label={text.models}>
          <table>
            <thead>
              <tr>
                <th scope="col">{common.model}</th>
                <th scope="col" class="number">
                  {common.requests}
                </th>
                <th scope="col" class="number">
                  {text.input}
                </th>
                <th scope="col" class="number">
                  {text.output}
                </th>
                <th scope="col" class="number">
                  {text.cached}
                </th>
                <th scope="col" class="number">
                  {text.cost}
                </th>
              </tr>
            </thead>
            <tbody>
              {models.map((model) => (
                <tr key={`${model.provider}/${model.model}`}>
                  <th scope="row">
                    {model.provider}/{model.model} {model.local && <Tag icon="home">{text.local}</Tag>}
                  </th>
                  <td class="number">{count(model.requests)}</td>
                  <td class="number" title={count(model.input)}>
                    {compact(model.input)}
                  </td>
                  <td class="number" title={count(model.output)}>
                    {compact(model.output)}
                  </td>
                  <td class="number" title={count(model.cacheRead)}>
                    {compact(model.cacheRead)}
                  </td>
                  <td class="number">
                    {model.unpriced === model.requests && model.requests > 0
                      ? common.unknown
                      : usd(model.usd)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </Card>
  );
}
