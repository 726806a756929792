import { Circle, CircleCheck } from 'lucide-preact'
import { Link } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRead, useRows } from '../../api/queries.ts'
import { CurrentSpaceContext, useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import type { PagePath } from '../../parts/addresses.ts'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { MenuPageHead } from '../../parts/page.tsx'
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
      <CurrentSpaceContext.Provider value={{ ...here, scope: { ...here.scope, environment: 'live' } }}>
        <Steps />
      </CurrentSpaceContext.Provider>
    </>
  )
}

type StepName = 'security' | 'brand' | 'team' | 'limits' | 'provider' | 'token' | 'webhook' | 'payment'
/** `to` is missing if the user may not open the page. */
type Step = { name: StepName; isDone: boolean; to: PagePath | undefined }

function Steps() {
  const t = useTexts()
  const { steps, error } = useSteps()
  if (error) return <ErrorNotice error={error} />
  if (!steps) return <Loading />
  return (
    <>
      <p role="status">{t.progress(steps.filter(({ isDone }) => isDone).length, steps.length)}</p>
      <ol class="go-live">
        {steps.map((step) => (
          <StepItem {...step} key={step.name} />
        ))}
      </ol>
    </>
  )
}

function StepItem({ name, isDone, to }: Step) {
  const t = useTexts()
  const { scope } = useCurrentSpace()
  const { title, text, action } = t[name]
  const Icon = isDone ? CircleCheck : Circle
  return (
    <li class={isDone ? 'card done' : 'card'}>
      <Icon aria-hidden="true" />
      <div>
        <h2>
          {title} <span class="unseen">{isDone ? t.done : t.open}</span>
        </h2>
        <p class="muted">{text}</p>
      </div>
      {!isDone && to && (
        <Link class="button" href={`~/console/${scope.spaceId}/live${to}`}>
          {action}
        </Link>
      )}
    </li>
  )
}

function useSteps(): { steps?: Step[]; error: Error | null } {
  const may = usePermissions()
  const one = [{ limit: 1 }] as const
  const settings = useRead(api.settings.retrieve, [])
  const passkeys = useRead(api.passkeys.retrieve, [])
  const totp = useRead(api.totp.retrieve, [])
  const momos = useRows(api.momos.list, [{}])
  const banks = useRows(api.banks.list, [{}])
  const members = useRows(api.members.list, [{ limit: 2 }], { enabled: may('members:read') })
  const tokens = useRows(api.accessTokens.list, [...one], { enabled: may('access-tokens:read') })
  const webhooks = useRows(api.webhooks.list, [...one], { enabled: may('webhooks:read') })
  const payments = useRows(api.payments.list, [{ limit: 1, status: 'completed' }])
  const reads = [settings, passkeys, totp]
  const lists = [momos, banks, members, tokens, webhooks, payments]
  const error = [...reads, ...lists].find((each) => each.error)?.error ?? null
  if (!settings.data || !passkeys.data || !totp.data || lists.some(({ isLoading }) => isLoading))
    return { error }
  const { brand, payoutApprovalAbove, refundApprovalAbove } = settings.data
  const step = (name: StepName, isDone: boolean, to: PagePath, permission?: string): Step => ({
    name,
    isDone,
    to: !permission || may(permission) ? to : undefined,
  })
  return {
    error,
    steps: [
      step('security', passkeys.data.passkeys.length > 0 || totp.data.isEnabled, '/security'),
      step(
        'brand',
        brand.supportEmail !== null || brand.supportPhone !== null,
        '/settings',
        'settings:write',
      ),
      step('team', members.rows.length > 1, '/team', 'members:write'),
      step(
        'limits',
        payoutApprovalAbove.length + refundApprovalAbove.length > 0,
        '/settings',
        'settings:write',
      ),
      step(
        'provider',
        [...momos.rows, ...banks.rows].some(({ status }) => status.active),
        '/installation/providers',
        'installation:read',
      ),
      step('token', tokens.rows.length > 0, '/access-tokens', 'access-tokens:write'),
      step('webhook', webhooks.rows.length > 0, '/webhooks', 'webhooks:write'),
      step('payment', payments.rows.length > 0, '/payment-links/new', 'payment-links:write'),
    ],
  }
}
