import type { WriteStream } from 'node:tty'
import type { Progress } from '../../books/verify.ts'

export type ProgressBar = { show(progress: Progress): void; clear(): void }

const width = 30
const everyMs = 100
const clearLine = '\r\x1b[K'

/** One line that is drawn again and again on a terminal; nothing where there is none. */
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

/** The total is an estimate: a bar that is full and not done yet would be a lie. */
function draw({ done, total }: Progress, unit: string): string {
  const rows = `${done.toLocaleString('en')} ${unit}`
  if (!total) return rows
  const part = Math.min(done / total, 0.99)
  const bar = '#'.repeat(Math.round(part * width)).padEnd(width, '.')
  return `[${bar}] ${Math.floor(part * 100)} %  ${rows}`
}
