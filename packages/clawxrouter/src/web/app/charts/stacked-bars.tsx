/** Stacked bars over time in SVG. The picture has a text for screen readers; the numbers are one button away as a table. */
import { scaleBand, scaleLinear } from "d3-scale";
import { stack } from "d3-shape";
import { useRef, useState } from "preact/hooks";
import { compact } from "../i18n/format.ts";
import { type Bucket, type Series, total } from "./series.ts";
import { useWidth } from "./width.ts";

interface Props {
  /** What the picture shows, for a screen reader. */
  label: string;
  series: readonly Series[];
  buckets: readonly Bucket[];
  height?: number;
  formatTime: (at: number) => string;
  formatValue: (value: number) => string;
}

const SIDE = { top: 8, right: 4, bottom: 24, left: 44 };
/** Pixels that a time label needs. */
const LABEL = 76;

export function StackedBars({ label, series, buckets, height = 220, formatTime, formatValue }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [hovered, setHovered] = useState<number | undefined>(undefined);
  const inner = {
    width: Math.max(0, width - SIDE.left - SIDE.right),
    height: height - SIDE.top - SIDE.bottom,
  };
  const highest = Math.max(1, ...buckets.map((bucket) => total(bucket, series)));
  const x = scaleBand<number>(
    buckets.map((bucket) => bucket.at),
    [0, inner.width],
  ).paddingInner(buckets.length > 60 ? 0.15 : 0.28);
  const y = scaleLinear([0, highest], [inner.height, 0]).nice(4);
  const layers = stack<Bucket, string>()
    .keys(series.map((entry) => entry.key))
    .value((bucket, key) => bucket.values[key] ?? 0)([...buckets]);
  const everyNth = Math.max(1, Math.ceil(buckets.length / Math.max(1, Math.floor(inner.width / LABEL))));
  const point = hovered === undefined ? undefined : buckets[hovered];

  const hover = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined || buckets.length === 0) return;
    const at = Math.floor((event.clientX - box.left - SIDE.left) / (inner.width / buckets.length));
    setHovered(at >= 0 && at < buckets.length ? at : undefined);
  };
  return (
    <div class="chart" ref={frame} onPointerMove={hover} onPointerLeave={() => setHovered(undefined)}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          <g transform={`translate(${SIDE.left},${SIDE.top})`}>
            {y.ticks(4).map((tick) => (
              <g key={tick} transform={`translate(0,${y(tick)})`}>
                <line class={tick === 0 ? "axis" : "gridline"} x2={inner.width} />
                <text class="tick" x={-8} dy="0.32em" text-anchor="end">
                  {compact(tick)}
                </text>
              </g>
            ))}
            {hovered !== undefined && point !== undefined && (
              <rect
                class="hover"
                x={(x(point.at) ?? 0) - 1}
                width={x.bandwidth() + 2}
                height={inner.height}
              />
            )}
            {layers.map((layer, level) =>
              layer.map((span, at) => {
                const bucket = buckets[at];
                if (bucket === undefined || span[1] <= span[0]) return null;
                const top = y(span[1]);
                return (
                  <rect
                    key={`${layer.key}-${bucket.at}`}
                    class={`fill ${series[level]?.tone ?? ""}`}
                    x={x(bucket.at)}
                    y={top}
                    width={Math.max(1, x.bandwidth())}
                    height={Math.max(0.5, y(span[0]) - top)}
                    rx={x.bandwidth() > 6 ? 1.5 : 0}
                  />
                );
              }),
            )}
            {buckets.map((bucket, at) =>
              at % everyNth === 0 ? (
                <text
                  key={bucket.at}
                  class="tick"
                  x={(x(bucket.at) ?? 0) + x.bandwidth() / 2}
                  y={inner.height + 17}
                  text-anchor={at === 0 ? "start" : "middle"}
                >
                  {formatTime(bucket.at)}
                </text>
              ) : null,
            )}
          </g>
        </svg>
      )}
      {point !== undefined && (
        <Tip
          point={point}
          series={series}
          formatTime={formatTime}
          formatValue={formatValue}
          left={tipLeft(x(point.at) ?? 0, width)}
        />
      )}
    </div>
  );
}

function tipLeft(at: number, width: number): number {
  return Math.max(0, Math.min(width - 190, at + SIDE.left + (at > width / 2 ? -200 : 16)));
}

function Tip({
  point,
  series,
  formatTime,
  formatValue,
  left,
}: { point: Bucket; series: readonly Series[]; left: number } & Pick<Props, "formatTime" | "formatValue">) {
  return (
    <div class="tip" style={{ left: `${left}px` }} aria-hidden="true">
      <strong>{formatTime(point.at)}</strong>
      {[...series].reverse().map((entry) => (
        <div key={entry.key} class="row spread">
          <span class="row">
            <i class={`dot ${entry.tone}`} />
            {entry.name}
          </span>
          <span>{formatValue(point.values[entry.key] ?? 0)}</span>
        </div>
      ))}
    </div>
  );
}
