import { Tag } from "../../components/badges.tsx";
import { Card } from "../../components/card.tsx";
import { NumberInput } from "../../components/inputs.tsx";
import { Empty } from "../../components/notes.tsx";
import { TableScroll } from "../../components/table-scroll.tsx";
import { commonWords } from "../../i18n/common.ts";
import { costWords } from "../../i18n/cost.ts";
import { say } from "../../i18n/words.ts";
import type { Draft } from "../../state/draft.ts";
import { models } from "../../state/models.ts";
import { PRICE_FIELDS, priceRows, withPrice } from "./prices.ts";

export function PriceTable({ draft }: { draft: Draft }) {
  const text = say(costWords);
  const common = say(commonWords);
  const cost = draft.settings?.tokenSaver;
  if (cost === undefined) return null;
  const rows = priceRows(cost.prices, models.value);
  return (
    <Card title={text.prices} help={text.pricesHelp}>
      {rows.length === 0 ? (
        <Empty title={text.noModels}>
          <p>{text.noModelsHelp}</p>
        </Empty>
      ) : (
        <TableScroll label={text.prices}>
          <table class="prices">
            <thead>
              <tr>
                <th scope="col">{common.model}</th>
                {PRICE_FIELDS.map((field) => (
                  <th key={field} scope="col">
                    {text[field]}
                  </th>
                ))}
                <th scope="col">{text.source}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{row.key}</th>
                  {PRICE_FIELDS.map((field) => (
                    <td key={field}>
                      <NumberInput
                        label={text.priceOf(text[field], row.key)}
                        quiet
                        min={0}
                        value={row.own?.[field]}
                        placeholder={
                          row.host?.[field] === undefined
                            ? common.unknown
                            : String(Number(row.host[field].toPrecision(6)))
                        }
                        onChange={(value) =>
                          draft.edit((copy) => {
                            copy.tokenSaver.prices = withPrice(copy.tokenSaver.prices, row.key, field, value);
                          })
                        }
                      />
                    </td>
                  ))}
                  <td>
                    {row.from === undefined ? (
                      <Tag tone="warn">{common.unknown}</Tag>
                    ) : (
                      <Tag>{text.sources[row.from]}</Tag>
                    )}
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
