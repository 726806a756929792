import { useState } from 'preact/hooks'
import { api, type InputOf } from '../../api/client.ts'
import { eventTypes } from '../../api/event-types.ts'
import { useRead, useSend } from '../../api/queries.ts'
import { choicesOf } from '../../parts/country.ts'
import { ChoiceField, Form, FormError } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { AttemptCard } from './attempt.tsx'
import { useTexts } from './texts.ts'
import type { Webhook } from './webhook-dialogs.tsx'

type ExampleType = InputOf<typeof api.webhooks.sendExample>['eventType']

const pollMs = 1_000

/** A form that sends an example of an event type, and the outcome of the last one. */
export function Example({ webhook: { id, events, lastExample } }: { webhook: Webhook }) {
  const t = useTexts()
  const send = useSend(api.webhooks.sendExample)
  const [previous, setPrevious] = useState<string>()
  const isWaiting = send.isSuccess && lastExample?.time === previous
  useRead(api.webhooks.retrieve, [id, { withActivity: true }], isWaiting ? { everyMs: pollMs } : {})
  return (
    <Section title={t.example}>
      <div class="card">
        <p class="muted">{t.exampleText}</p>
        <Form
          class="example"
          send={send}
          read={(form) => {
            setPrevious(lastExample?.time)
            return [id, { eventType: form.choice<ExampleType>('eventType') }] as const
          }}
        >
          <ChoiceField
            label={t.eventType}
            name="eventType"
            choices={choicesOf([...eventTypes])}
            initial={eventTypes.find((type) => events.includes(type)) ?? 'payment.completed'}
          />
          <button type="submit" disabled={send.isPending || isWaiting}>
            {t.sendExample}
          </button>
          <FormError />
        </Form>
        <div role="status">
          {isWaiting && <p>{t.waiting}</p>}
          {!isWaiting && lastExample && (
            <>
              <p>
                <code>{lastExample.eventType}</code>
              </p>
              <AttemptCard of={lastExample} key={lastExample.time} isOpen={send.isSuccess} />
            </>
          )}
        </div>
      </div>
    </Section>
  )
}
