import { startStopwatch } from '@pesewa/values'

const shownAfterMs = 2_000
const everyMs = 500
const clearLine = '\r\x1b[K'

/**
 * Runs `work`. If it takes longer than two seconds and standard error is a terminal, shows there that it is
 * still running.
 */
export async function whileWaiting<T>(work: () => Promise<T>): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY) return work()
  const elapsedMs = startStopwatch()
  let isShown = false
  const timer = setInterval(() => {
    if (elapsedMs() < shownAfterMs) return
    isShown = true
    stderr.write(`${clearLine}Working … ${Math.floor(elapsedMs() / 1_000)} s`)
  }, everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    if (isShown) stderr.write(clearLine)
  }
}
