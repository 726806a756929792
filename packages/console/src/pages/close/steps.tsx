import { CircleCheck } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { ProviderName } from '../../parts/providers.tsx'
import { type Amount, Time, useLocale, useMoney } from '../../text/format.tsx'
import { BankRows, bankOf } from './bank.tsx'
import type { MonthEnd, MonthProps, StepName } from './month-end.ts'
import { useTexts } from './texts.ts'

type StepsProps = Omit<MonthProps, 'dayPath'> & { month: MonthEnd }
/** `state` says in a sentence how far the step is. */
type Step = { name: StepName; title: string; isDone: boolean; state: string; details?: ComponentChildren }

/** The five steps to close a month. */
export function Steps({ month, differencePath, actions, hints }: StepsProps) {
  const t = useTexts()
  const statements = useStatements(month)
  const differences = useDifferences(month, differencePath)
  const isFinal = statements.isDone && differences.isDone && month.today > lastDayOf(month)
  const file: Step = {
    ...{ name: 'file', title: t.fileStep.title, isDone: isFinal },
    state: isFinal ? t.fileStep.final : t.fileStep.provisional,
  }
  const steps = [statements, differences, useBank(month), file, useSignatures(month)]
  const left = steps.filter(({ isDone }) => !isDone)
  return (
    <div>
      <p role="status">
        {t.progress(steps.length - left.length, steps.length)}{' '}
        {left.length > 0 && t.left(left.map(({ title }) => title))}
      </p>
      <ol class="month-steps">
        {steps.map((step) => (
          <StepItem step={step} hint={hints[step.name]} key={step.name}>
            {actions[step.name]}
          </StepItem>
        ))}
      </ol>
    </div>
  )
}

type StepItemProps = { step: Step; hint: string | undefined; children: ComponentChildren }

function StepItem({ step, hint, children }: StepItemProps) {
  const t = useTexts()
  const { name, title, isDone, state, details } = step
  return (
    <li class={isDone ? 'card done' : 'card'}>
      <span class="mark">{isDone && <CircleCheck aria-hidden="true" />}</span>
      <div class="what">
        <h2>
          {title} <span class="unseen">{isDone ? t.done : t.toDo}</span>
        </h2>
        <p>{state}</p>
        {details}
        {hint && (!isDone || name === 'file') && <p class="muted">{hint}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </li>
  )
}

const lastDayOf = ({ days }: Pick<MonthEnd, 'days'>) => days.at(-1)?.date ?? ''

function useStatements({ days, providers, today }: MonthEnd): Step {
  const { statements: t } = useTexts()
  const rangeOf = useDayRanges()
  const missing = new Set(providers.flatMap((one) => one.missing)).size
  const ended = days.filter(({ date, state }) => state !== 'none' && date < today).length
  return {
    ...{ name: 'statements', title: t.title, isDone: missing === 0 },
    state: missing > 0 ? t.missing(missing, ended) : ended > 0 ? t.all(ended) : t.none,
    details: missing > 0 && (
      <ul>
        {providers
          .filter((one) => one.missing.length > 0)
          .map(({ provider, missing }) => (
            <li key={provider}>
              <ProviderName id={provider} /> <span class="muted">{rangeOf(missing)}</span>
            </li>
          ))}
      </ul>
    ),
  }
}

/** Returns a function that formats dates, with consecutive ones as a range: `1–3 Oct, 7 Oct`. */
function useDayRanges(): (dates: readonly string[]) => string {
  const format = new Intl.DateTimeFormat(useLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const dayMs = 86_400_000
  return (dates) => {
    const ranges: [from: Date, to: Date][] = []
    for (const date of dates.map((text) => new Date(text))) {
      const last = ranges.at(-1)
      if (last && date.getTime() - last[1].getTime() === dayMs) last[1] = date
      else ranges.push([date, date])
    }
    return ranges.map(([from, to]) => format.formatRange(from, to)).join(', ')
  }
}

const maxDifferences = 8

function useDifferences({ differences }: MonthEnd, pathOf: StepsProps['differencePath']): Step {
  const { differencesStep: t, directions } = useTexts()
  const money = useMoney()
  const rangeOf = useDayRanges()
  const count = differences.reduce((sum, one) => sum + one.count, 0)
  const isEstimated = differences.some(({ estimated }) => estimated)
  const total = totalsOf(differences.map(({ amount }) => amount))
    .map(money)
    .join(', ')
  const left = differences.length - maxDifferences
  return {
    ...{ name: 'differences', title: t.title, isDone: differences.length === 0 },
    state: differences.length === 0 ? t.none : t.some(count, isEstimated, total),
    details: differences.length > 0 && (
      <ul>
        {differences.slice(0, maxDifferences).map((one) => (
          <li key={`${one.date} ${one.provider} ${one.direction} ${one.amount.currency}`}>
            <Link href={pathOf(one)}>
              {rangeOf([one.date])} <ProviderName id={one.provider} />, {directions[one.direction]}
            </Link>{' '}
            <span class="muted">
              {t.lines(one.count)}, {money(one.amount)}
            </span>
          </li>
        ))}
        {left > 0 && <li class="muted">{t.more(left)}</li>}
      </ul>
    ),
  }
}

/** Adds up amounts by currency. */
function totalsOf(amounts: Amount[]): Amount[] {
  const sums = new Map<string, bigint>()
  for (const { currency, value } of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(value))
  return [...sums].map(([currency, value]) => ({ currency, value }))
}

function useBank(month: MonthEnd): Step {
  const { bank: t } = useTexts()
  const isOver = month.today > lastDayOf(month)
  const money = useMoney()
  const { rows, settlements, unconfirmed, unpaid, unpaidAmounts } = bankOf(month, isOver)
  const total = totalsOf(unpaidAmounts).map(money).join(', ')
  const sentences = [
    unconfirmed > 0 && t.unconfirmed(unconfirmed, settlements),
    unpaid > 0 && t.unpaid(unpaid, total, isOver),
  ].filter((sentence) => sentence !== false)
  return {
    ...{ name: 'bank', title: t.title, isDone: sentences.length === 0 },
    state: sentences.length > 0 ? sentences.join(' ') : settlements > 0 ? t.agree(settlements) : t.none,
    details: rows.length > 0 && <BankRows {...{ rows, isOver }} />,
  }
}

function useSignatures({ signatures, today, ...month }: MonthEnd): Step {
  const { sign: t } = useTexts()
  const ended = month.days.filter(({ date, state }) => state !== 'none' && date < today)
  const [signed, all] = [ended.filter(({ state }) => state === 'closed').length, ended.length]
  const isOver = today > lastDayOf(month)
  return {
    ...{ name: 'sign', title: t.title, isDone: isOver && signed === all },
    state: all === 0 ? t.none : signed === all ? t.all(all) : t.some(signed, all),
    details: signatures.length > 0 && (
      <ul class="muted">
        {signatures.map(({ by, time }) => (
          <li key={by}>
            {t.by(by ?? t.operator)} <Time at={time} />.
          </li>
        ))}
      </ul>
    ),
  }
}
