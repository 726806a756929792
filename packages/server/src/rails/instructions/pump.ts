/**
 * Creates a pump. `run` calls `work` repeatedly. It stops when `work` returns false, unless `run` was called
 * again during that call of `work`.
 */
export function createPump(work: () => Promise<boolean>, failed: (error: unknown) => void) {
  let running: Promise<void> | undefined
  let isMore = false
  const loop = async () => {
    try {
      while (isMore) {
        isMore = false
        // Everything that is offered in the same turn of the event loop is processed together.
        await new Promise((resolve) => setImmediate(resolve))
        if (await work()) isMore = true
      }
    } catch (error) {
      failed(error)
    }
    running = undefined
  }
  return {
    run() {
      isMore = true
      running ??= loop()
    },
    idle: async () => void (await running),
  }
}
