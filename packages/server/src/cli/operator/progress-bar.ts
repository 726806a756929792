import type { WriteStream } from 'node:tty'
import type { Progress } from '../../finance/books/verify.ts'

export type ProgressBar = { show(progress: Progress): void; clear(): void }

const width = 30
const everyMs = 100
const clearLine = '\r\x1b[K'

/** Returns a progress line that is redrawn on a terminal. If the output is not a terminal, prints nothing. */
export function progressBar(stream: Pick<WriteStream, 'isTTY' | 'write'>, unit = 'rows'): ProgressBar {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} }
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show(progress) {
      const now = performance.now()
      if (now - shownAt < everyMs) return
      shownAt = now
      stream.write(`${clearLine}${draw(progress, unit)}`)
    },
    clear: () => void stream.write(clearLine),
  }
}

/**
 * Returns the text of the bar. It shows less than 100 % until the work is finished, because the total is an
 * estimate.
 */
function draw({ done, total }: Progress, unit: string): string {
  const rows = `${done.toLocaleString('en')} ${unit}`
  if (!total) return rows
  const part = Math.min(done / total, 0.99)
  const bar = '#'.repeat(Math.round(part * width)).padEnd(width, '.')
  return `[${bar}] ${Math.floor(part * 100)} %  ${rows}`
}
