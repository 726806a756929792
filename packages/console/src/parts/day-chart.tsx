import { useEffect, useRef } from 'preact/hooks'
import type { Options, default as UPlot } from 'uplot'
import 'uplot/dist/uPlot.min.css'

/**
 * A line in the chart. `color` is the name of a CSS variable. Lines also differ in their dashes, for people who
 * cannot tell the colors apart.
 */
export type DayLine = { label: string; color: string; dash?: readonly number[]; values: number[] }

type DayChartProps = {
  label: string
  dateLabel: string
  language: string
  /** Consecutive dates in ascending order, in the form `2026-11-30`. */
  dates: string[]
  lines: DayLine[]
  /** Formats a value for the legend. */
  inFull(value: number): string
  /** Formats a value for the axis. */
  inShort(value: number): string
}

const height = 220
const daySeconds = 86_400

/**
 * A chart of daily figures. Screen readers announce only its label, so the page also shows the figures as a
 * table.
 */
export function DayChart(props: DayChartProps) {
  const { label, dates, lines } = props
  const place = useRef<HTMLDivElement>(null)
  const dataKey = JSON.stringify([dates, lines])
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    let plot: UPlot | undefined
    let isUnmounted = false
    const draw = async () => {
      const { default: uPlot } = await import('uplot')
      if (isUnmounted) return
      plot?.destroy()
      const times = dates.map((date) => Date.parse(date) / 1_000)
      const data: UPlot.AlignedData = [times, ...lines.map(({ values }) => values)]
      plot = new uPlot(optionsOf(props, element, uPlot), data, element)
    }
    const resizing = new ResizeObserver(() => plot?.setSize({ width: widthIn(element), height }))
    const theme = matchMedia('(prefers-color-scheme: dark)')
    resizing.observe(element)
    theme.addEventListener('change', draw)
    void draw()
    return () => {
      isUnmounted = true
      resizing.disconnect()
      theme.removeEventListener('change', draw)
      plot?.destroy()
    }
  }, [dataKey, label])
  return <div class="chart card" ref={place} role="img" aria-label={label} />
}

function optionsOf(
  { lines, dateLabel, language, inFull, inShort }: DayChartProps,
  element: Element,
  uPlot: typeof UPlot,
): Options {
  const style = getComputedStyle(element)
  const colorOf = (name: string) => style.getPropertyValue(name).trim()
  const { format } = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const dayAt = (seconds: number) => format(seconds * 1_000)
  const axis = {
    stroke: colorOf('--muted'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  }
  return {
    width: widthIn(element),
    height,
    // Dates are the Space's local dates, so they must not be shifted to the viewer's time zone.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    scales: { y: { range: (_, _min, max) => [0, Math.max(1, max * 1.05)] } },
    cursor: { drag: { x: false, y: false } },
    axes: [
      {
        ...axis,
        incrs: [1, 2, 5, 10].map((days) => days * daySeconds),
        values: (_, splits) => splits.map(dayAt),
      },
      { ...axis, size: 64, values: (_, splits) => splits.map(inShort) },
    ],
    series: [
      { label: dateLabel, value: (_, seconds: number | null) => (seconds === null ? '–' : dayAt(seconds)) },
      ...lines.map(({ label, color, dash }) => ({
        label,
        stroke: colorOf(color),
        width: 2,
        ...(dash && { dash: [...dash] }),
        points: { show: false },
        value: (_: UPlot, value: number | null) => (value === null ? '–' : inFull(value)),
      })),
    ],
  }
}

/** Returns the width of an element in pixels, without its padding. */
function widthIn(element: Element): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element)
  return element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
}
