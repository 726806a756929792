import hooks from 'node:async_hooks'

/**
 * Loaded before each process of tests, and before node:test. That has to know which test is running: `after` and `test`
 * belong to it, and errors that nobody caught. For that it follows every promise from its creation until it is collected,
 * which in a program made of promises takes a sixth of the processor. Here it gets to know it from `AsyncLocalStorage`,
 * which costs next to nothing ([decision 143](../docs/decisions/0143-what-a-run-of-the-tests-costs.md)).
 */
const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks
type Created = (asyncId: number, type: string, triggerAsyncId: number, resource: object) => void

const testId = new AsyncLocalStorage<number>()
let created: Created = () => {}

/** What every test and suite of node:test is. */
class TestResource extends AsyncResource {
  constructor(type: string) {
    super(type)
    created(this.asyncId(), type, this.triggerAsyncId(), this)
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: unknown[]) => Result,
    thisArg?: This,
    ...args: unknown[]
  ): Result {
    const inside = () => testId.run(this.asyncId(), () => Reflect.apply(work, thisArg, args))
    return super.runInAsyncScope(inside)
  }
}

const noHook = { enable: () => noHook, disable: () => noHook }

// node:test keeps what it sees when it is loaded.
Object.assign(hooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => testId.getStore() ?? executionAsyncId(),
  createHook: ({ init }: { init: Created }) => {
    created = init
    return noHook
  },
})
await import('node:test')
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })
