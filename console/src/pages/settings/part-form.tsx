import type { ComponentChildren } from 'preact'
import type { ArgumentsOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { useTexts } from '../../text/languages.tsx'
import type { SpaceSettings } from './settings.tsx'
import { texts } from './texts.ts'

export type SettingsChange = ArgumentsOf<'PATCH /v1/settings'>['body']
export type PartProps = { settings: SpaceSettings; isFixed: boolean }

type Props = {
  isFixed: boolean
  send: ReturnType<typeof useChange>
  /** What is typed; `undefined`: something is wrong with it, and is shown. */
  read(fields: FormData): SettingsChange | undefined
  onInput?(fields: FormData): void
  children: ComponentChildren
}

export const useChange = () => useSend('PATCH /v1/settings')

/** A part of the settings that is saved by itself. */
export function PartForm({ isFixed, send, read, onInput, children }: Props) {
  const t = useTexts(texts)
  return (
    <form
      class="narrow"
      onInput={(event) => onInput?.(new FormData(event.currentTarget))}
      onSubmit={(event) => {
        event.preventDefault()
        const body = read(new FormData(event.currentTarget))
        if (body) send.mutate({ body })
      }}
    >
      <fieldset class="plain" disabled={isFixed}>
        {children}
      </fieldset>
      <ErrorNotice error={send.error} />
      {!isFixed && (
        <div class="actions">
          <button type="submit" class="main" disabled={send.isPending}>
            {t.save}
          </button>
          <span role="status">{send.isSuccess && t.isSaved}</span>
        </div>
      )}
    </form>
  )
}
