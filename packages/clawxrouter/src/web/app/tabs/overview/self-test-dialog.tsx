import type { Answer } from "../../../contract.ts";
import { Tag } from "../../components/badges.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Note } from "../../components/notes.tsx";
import { TableScroll } from "../../components/table-scroll.tsx";
import { commonWords } from "../../i18n/common.ts";
import { language } from "../../i18n/language.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { say } from "../../i18n/words.ts";

export function SelfTestDialog({ result, onClose }: { result: Answer<"selfTest">; onClose: () => void }) {
  const text = say(overviewWords);
  const common = say(commonWords);
  return (
    <Dialog
      title={result.ok ? text.selfTestOk : text.selfTestBad}
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          {common.close}
        </Button>
      }
    >
      <Note tone={result.ok ? "good" : "bad"}>{result.text[language.value]}</Note>
      {result.rows.length > 0 && (
        <TableScroll label={text.selfTestOk}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text.path}</th>
                <th scope="col">{text.leaked}</th>
                <th scope="col">{text.answered}</th>
              </tr>
            </thead>
            <tbody>
              {result.rows.map((row) => (
                <tr key={row.path}>
                  <th scope="row">
                    {row.path}
                    {row.detail !== "" && <div class="small muted">{row.detail}</div>}
                  </th>
                  <td>
                    {row.leaked.length === 0 ? (
                      <Tag tone="good" icon="check">
                        {text.nothingLeaked}
                      </Tag>
                    ) : (
                      <Tag tone="bad" icon="warning">
                        {row.leaked.join(", ")}
                      </Tag>
                    )}
                  </td>
                  <td>{row.answered ? common.yes : common.no}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </Dialog>
  );
}
