import type { AuditItem } from "../../../contract.ts";
import { get } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Empty, FaultNote, Skeleton } from "../../components/notes.tsx";
import { TableScroll } from "../../components/table-scroll.tsx";
import { When } from "../../components/time.tsx";
import { commonWords } from "../../i18n/common.ts";
import { configWords } from "../../i18n/config.ts";
import { say } from "../../i18n/words.ts";
import { usePaged } from "../../state/paged.ts";
import { configDocument } from "../../state/settings.ts";

const PAGE = 10;

/** Who did what through the page. */
export function Audit() {
  const text = say(configWords);
  const list = usePaged<AuditItem>(
    (cursor, signal) => get("audit", { limit: PAGE, cursor }, signal),
    configDocument.value?.version ?? "",
  );
  const { items } = list;
  return (
    <Card title={text.audit} help={text.auditHelp}>
      {list.fault !== undefined && <FaultNote fault={list.fault} onRetry={list.reload} />}
      {items === undefined && list.fault === undefined && <Skeleton lines={3} />}
      {items?.length === 0 && <Empty title={text.noAudit} />}
      {items !== undefined && items.length > 0 && (
        <TableScroll label={text.audit}>
          <table>
            <tbody>
              {items.map((item) => (
                <tr key={item.id}>
                  <td class="small muted nowrap">
                    <When at={item.at} />
                  </td>
                  <th scope="row">{text.actions[item.action]}</th>
                  <td class="wrap-any small">{item.detail}</td>
                  <td class="small muted nowrap">{item.from}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
      {list.more && (
        <div class="row more">
          <Button small busy={list.loading} onClick={list.loadMore}>
            {say(commonWords).loadMore}
          </Button>
        </div>
      )}
    </Card>
  );
}
