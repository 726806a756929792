import type { ComponentChildren } from 'preact'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { Form, FormError } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useTexts } from './texts.ts'

export type SpaceSettings = ResultOf<typeof api.settings.retrieve>
export type SettingsChange = InputOf<typeof api.settings.update>
export type SettingsFormProps = { settings: SpaceSettings; isFixed: boolean }

type Props = {
  isFixed: boolean
  send: ReturnType<typeof useChange>
  read(form: FormReader): NonNullable<SettingsChange>
  onInput?(form: FormReader): void
  children: ComponentChildren
}

export const useChange = () => useSend(api.settings.update)

/** The form for one section of the settings. Each section is saved separately. */
export function SettingsForm({ isFixed, send, read, onInput, children }: Props) {
  const t = useTexts()
  return (
    <Form class="narrow" send={send} read={(form) => [read(form)]} {...(onInput && { onInput })}>
      <fieldset class="plain" disabled={isFixed}>
        {children}
      </fieldset>
      <FormError />
      {!isFixed && (
        <div class="actions">
          <button type="submit" class="main" disabled={send.isPending}>
            {t.save}
          </button>
          <span role="status">{send.isSuccess && t.isSaved}</span>
        </div>
      )}
    </Form>
  )
}
