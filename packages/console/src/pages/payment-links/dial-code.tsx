import { Link } from 'wouter-preact'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { useRows, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { isOpen, type PaymentCode } from '../payment-codes/code-status.tsx'
import { useTexts } from './texts.ts'

type PaymentLink = ResultOf<typeof api.paymentLinks.retrieve>

/** The longest lifetime of a code. */
const life = '30d'

/**
 * Returns whether dialling asks for everything that the link asks for. A code has neither a quantity nor a
 * question, no limits for the amount that the payer types, and its payments do not count towards the link's
 * maximum.
 */
const canDial = ({ openAmount, quantity, payerReference, maxPayments }: PaymentLink) =>
  !quantity &&
  !payerReference?.isRequired &&
  maxPayments === null &&
  !openAmount?.minimum &&
  !openAmount?.maximum

/**
 * The link's payment code, which has the link's id as its reference, and the buttons to create and renew it. The
 * code of a link that has ended is still shown, because it can still be dialled.
 */
export function DialCode({ link }: { link: PaymentLink }) {
  const t = useTexts()
  const may = usePermissions()
  const read = useRows(api.paymentCodes.list, [{ q: link.id, mode: 'recurrent', limit: 10 }])
  const code = read.rows.find(isOpen)
  const isLinkOpen = link.status === 'active' || link.status === 'inactive'
  const mayAdd = isLinkOpen && may('payment-codes:write') && canDial(link)
  if (read.isLoading || read.error || (!code && !mayAdd)) return null
  return (
    <Section title={t.dialling}>
      <p class="muted">{isLinkOpen ? t.diallingHint : t.diallingStays}</p>
      {code ? (
        <Code code={code} isRenewable={isLinkOpen && may('payment-codes:write')} />
      ) : (
        <AddButton link={link} />
      )}
    </Section>
  )
}

function Code({ code, isRenewable }: { code: PaymentCode; isRenewable: boolean }) {
  const t = useTexts()
  const renew = useSend(api.paymentCodes.update)
  return (
    <div class="card dial">
      <CopyText text={code.ussdCode} />
      <p class="muted">
        {t.expireTime}: <Time at={code.expireTime} />
      </p>
      <div class="actions">
        {isRenewable && (
          <button
            type="button"
            disabled={renew.isPending}
            onClick={() => renew.mutate([code.id, { duration: life }])}
          >
            {t.renewCode}
          </button>
        )}
        <Link class="button quiet" href={`/payment-codes/${code.id}`}>
          {t.showCode}
        </Link>
      </div>
      <ErrorNotice error={renew.error} />
    </div>
  )
}

function AddButton({ link }: { link: PaymentLink }) {
  const t = useTexts()
  const add = useSend(api.paymentCodes.create)
  return (
    <>
      <button type="button" disabled={add.isPending} onClick={() => add.mutate([codeOf(link)])}>
        {t.addCode}
      </button>
      <ErrorNotice error={add.error} />
    </>
  )
}

const [minName, maxName] = [3, 64]

const codeOf = ({
  id,
  name,
  amount,
  financialAccountId,
}: PaymentLink): InputOf<typeof api.paymentCodes.create> => ({
  name: [...name].slice(0, maxName).join('').padEnd(minName, '.'),
  mode: 'recurrent',
  // Amounts of requests are below 2^53, so the number is exact.
  ...(amount && { amount: { ...amount, value: Number(amount.value) } }),
  duration: life,
  reference: id,
  financialAccountId,
})
