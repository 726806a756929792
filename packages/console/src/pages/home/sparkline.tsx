type SparklineProps = {
  /** Consecutive values, oldest first. Days without a value interrupt the line. */
  values: (number | null)[]
  /** The value at the top: by default, the largest. */
  top?: number
  /** The values as text, for people who cannot see the line. */
  label: string
}

const width = 100
const height = 30

/** A small line without axes, which shows only a trend. It is flat if all values are zero. */
export function Sparkline({ values, top = Math.max(1, ...values.map(Number)), label }: SparklineProps) {
  const points = values.map((value, i) =>
    value === null
      ? undefined
      : ([(i * width) / (values.length - 1), height * (1 - Math.max(0, value) / top)] as const),
  )
  const last = points.at(-1)
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
    >
      <path class="base" d={`M0 ${height}H${width}`} />
      {partsOf(points).map((part) => (
        <g key={part[0]?.[0]}>
          <path class="area" d={`M${part[0]?.[0]} ${height}L${part.join('L')}V${height}Z`} />
          {/* A line of no length is drawn as a dot, so that a single day is visible. */}
          <path class="line" d={`M${part.join('L')}h0`} />
        </g>
      ))}
      {last && <path class="last" d={`M${last}h0`} />}
    </svg>
  )
}

type Point = readonly [x: number, y: number]

/** Returns the uninterrupted parts of a line. */
function partsOf(points: (Point | undefined)[]): Point[][] {
  const parts: Point[][] = []
  for (const [i, point] of points.entries()) {
    if (!point) continue
    if (points[i - 1]) parts.at(-1)?.push(point)
    else parts.push([point])
  }
  return parts
}
