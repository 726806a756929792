import { Circle, CircleCheck } from 'lucide-preact'
import { Link } from 'wouter-preact'
import { api, type ResultOf } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { type CurrentSpace, CurrentSpaceContext, useCurrentSpace } from '../../api/scope.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { MenuPageHead } from '../../parts/page.tsx'
import { CopySettings } from './copy-settings.tsx'
import { type Step, useSteps } from './steps.ts'
import { useTexts } from './texts.ts'
import './go-live.css'

/**
 * Lists the steps to take before the first real payment. It always reads the live environment, even if the test
 * environment is open.
 */
export default function GoLive() {
  const t = useTexts()
  const here = useCurrentSpace()
  return (
    <>
      <MenuPageHead page="/go-live" />
      <p>{t.intro}</p>
      <CurrentSpaceContext.Provider value={inEnvironment(here, 'test')}>
        <LiveSteps />
      </CurrentSpaceContext.Provider>
    </>
  )
}

type Settings = ResultOf<typeof api.settings.retrieve>

const inEnvironment = (here: CurrentSpace, environment: 'test' | 'live'): CurrentSpace => ({
  ...here,
  scope: { ...here.scope, environment },
})

/** Reads the settings of the test environment, which can be copied, and shows the steps of the live one. */
function LiveSteps() {
  const here = useCurrentSpace()
  const { data: test } = useRead(api.settings.retrieve, [])
  return (
    <CurrentSpaceContext.Provider value={inEnvironment(here, 'live')}>
      <Steps test={test} />
    </CurrentSpaceContext.Provider>
  )
}

function Steps({ test }: { test: Settings | undefined }) {
  const t = useTexts()
  const { steps, error } = useSteps()
  if (error) return <ErrorNotice error={error} />
  if (!steps) return <Loading />
  return (
    <>
      <p role="status">{t.progress(steps.filter(({ isDone }) => isDone).length, steps.length)}</p>
      <ol class="go-live">
        {steps.map((step) => (
          <StepItem {...step} test={test} key={step.name} />
        ))}
      </ol>
    </>
  )
}

function StepItem({ name, isRequired, isDone, to, test }: Step & { test: Settings | undefined }) {
  const t = useTexts()
  const { scope } = useCurrentSpace()
  const { title, text, action } = t[name]
  const shown = name === 'provider' && to ? t.provider.textForOperators : text
  const Icon = isDone ? CircleCheck : Circle
  const isCopied = name === 'brand' && test && (test.brand.supportEmail ?? test.brand.supportPhone) !== null
  return (
    <li class={isDone ? 'card done' : 'card'}>
      <Icon aria-hidden="true" />
      <div>
        <h2>
          {title} {!isDone && <span class="status plain">{isRequired ? t.required : t.optional}</span>}{' '}
          <span class="unseen">{isDone ? t.done : t.open}</span>
        </h2>
        <p class="muted">{shown}</p>
      </div>
      {!isDone && to && isCopied && <CopySettings from={test} />}
      {!isDone && to && (
        <Link
          class="button"
          href={`~/console/${scope.spaceId}/live${to}${name === 'provider' ? '?environment=live' : ''}`}
        >
          {action}
        </Link>
      )}
    </li>
  )
}
