import type { ComponentChildren } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { useCurrencies } from '../../parts/country.ts'
import { FormContext } from '../../parts/field.tsx'
import { ChoiceField, Form, FormError } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { LeaveWarning } from '../../parts/leave-warning.tsx'
import { Section } from '../../parts/page.tsx'
import { ApprovalFields } from './approval-fields.tsx'
import { BrandFields } from './brand-fields.tsx'
import { useDraft, type Values } from './draft.ts'
import { Preview } from './preview.tsx'
import { useTexts } from './texts.ts'
import { readChange, readColor, type SpaceSettings, valuesOf } from './values.ts'

type Props = { settings: SpaceSettings; isFixed: boolean }

/** The form for all settings. It sends what has changed in one command, which succeeds or fails as a whole. */
export function SettingsForm({ settings, isFixed }: Props) {
  const t = useTexts()
  const send = useSend(api.settings.update)
  const [own = 'USD'] = useCurrencies()
  const draft = useDraft(valuesOf(settings, own))
  const { base, typed } = draft
  const [logo, setLogo] = useState<string | null>()
  const [palette, setPalette] = useState<string[]>([])
  const sent = useRef<{ typed: Values; logo: string | null | undefined }>()
  const isUnsaved = !isFixed && (logo !== undefined || draft.isChanged(...Object.keys(base)))
  const read = (form: FormReader) => {
    if (!isUnsaved) return undefined
    sent.current = { typed, logo }
    return [
      readChange(form, { settings, own, isChanged: draft.isChanged, logo, notAColor: t.notAColor }),
    ] as const
  }
  const accept = (saved: SpaceSettings) => {
    draft.accept(valuesOf(saved, own), sent.current?.typed ?? {})
    setLogo((now) => (now === sent.current?.logo ? undefined : now))
  }
  // Only the path is used, so that the logo loads from the same origin as this page.
  const savedLogo = settings.logoUrl && new URL(settings.logoUrl).pathname
  /** Changes the logo; undefined for the saved one. The palette is that of the logo that is shown. */
  const choose = (png: string | null | undefined) => {
    const next = png === savedLogo ? undefined : png
    if (next !== logo) setPalette([])
    setLogo(next)
  }
  return (
    <Form class="settings" send={send} read={read} onInput={draft.follow} onSent={accept}>
      <LeaveWarning isUnsaved={isUnsaved} />
      <div ref={draft.ref}>
        <Section title={t.brand}>
          <div class="beside">
            <Fields isFixed={isFixed}>
              <BrandFields
                {...{ settings, isFixed, typed, palette }}
                logo={logo === undefined ? savedLogo : logo}
                onLogo={choose}
                onPalette={setPalette}
              />
            </Fields>
            <Preview
              brand={{
                name: typed.name ?? '',
                color: readColor(typed.color ?? '') ?? '',
                supportEmail: typed.supportEmail ?? '',
                supportPhone: typed.supportPhone ?? '',
                termsUrl: typed.termsUrl ?? '',
                logo: logo === null ? '' : logo,
              }}
            />
          </div>
        </Section>
        <Section title={t.approvals}>
          <Fields isFixed={isFixed}>
            <ApprovalFields {...{ settings, isFixed, base, own }} />
          </Fields>
        </Section>
        <Section title={t.refunds}>
          <Fields isFixed={isFixed}>
            <Choices name="refundsWhenShort" label={t.whenShort} choices={t.short} typed={typed} />
            <Choices name="returnsPaymentFee" label={t.fee} choices={t.fees} typed={typed} />
          </Fields>
        </Section>
        <Section title={t.receipts}>
          <Fields isFixed={isFixed}>
            <Choices name="receiptsBySms" label={t.receiptsBySms} choices={t.sms} typed={typed} />
          </Fields>
        </Section>
      </div>
      {!isFixed && (
        <SaveBar
          isUnsaved={isUnsaved}
          isPending={send.isPending}
          isSaved={send.isSuccess}
          onDiscard={() => {
            draft.reset()
            choose(undefined)
            send.reset()
          }}
        />
      )}
    </Form>
  )
}

const Fields = ({ isFixed, children }: { isFixed: boolean; children: ComponentChildren }) => (
  <fieldset class="plain narrow" disabled={isFixed}>
    {children}
  </fieldset>
)

type ChoicesProps = { name: string; label: string; choices: Record<string, string>; typed: Values }

const Choices = ({ typed, ...field }: ChoicesProps) => (
  <ChoiceField {...field} initial={typed[field.name] ?? ''} />
)

type SaveBarProps = { isUnsaved: boolean; isPending: boolean; isSaved: boolean; onDiscard(): void }

/** The buttons of the form, which stay visible while the user scrolls. */
function SaveBar({ isUnsaved, isPending, isSaved, onDiscard }: SaveBarProps) {
  const t = useTexts()
  const bar = useRef<HTMLDivElement>(null)
  const { error, issues } = useContext(FormContext)
  useEffect(() => {
    if (!error && Object.keys(issues).length === 0) return
    // The form is long, so the first invalid field may be out of sight.
    const faulty = bar.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid]')
    faulty?.focus()
  }, [error, issues])
  return (
    <div class="save-bar" ref={bar}>
      <FormError />
      <div class="actions">
        <button type="submit" class="main" disabled={isPending || !isUnsaved}>
          {t.save}
        </button>
        {isUnsaved && (
          <button type="button" class="quiet" disabled={isPending} onClick={onDiscard}>
            {t.discard}
          </button>
        )}
        <span role="status">{isUnsaved ? (error ? t.notSaved : t.isUnsaved) : isSaved && t.isSaved}</span>
      </div>
    </div>
  )
}
