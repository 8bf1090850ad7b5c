import type { Series } from "./series.ts";

export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul class="chart-legend">
      {series.map((entry) => (
        <li key={entry.key}>
          <i class={`dot ${entry.tone}`} aria-hidden="true" />
          {entry.name}
        </li>
      ))}
    </ul>
  );
}
