import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { useTexts } from './texts.ts'

type Settings = ResultOf<typeof api.settings.retrieve>
type Change = NonNullable<InputOf<typeof api.settings.update>>

/** A button that gives the live environment the brand and the approval limits of the test environment. */
export function CopySettings({ from }: { from: Settings }) {
  const t = useTexts()
  return (
    <ConfirmButton
      call={api.settings.update}
      args={async () => [await changeFrom(from)]}
      action={t.copy}
      title={t.copyTitle}
      warning={t.copyText}
      isDangerous={false}
      class=""
    />
  )
}

/** Returns the settings of the test environment, without those that are empty. */
async function changeFrom({ brand, payoutApprovalAbove, refundApprovalAbove, logoUrl }: Settings) {
  const set = Object.entries(brand).filter(([, value]) => value !== null)
  const change: Change = {
    brand: { ...Object.fromEntries(set), ...(logoUrl && { logo: await pngOf(logoUrl) }) },
    ...(payoutApprovalAbove.length > 0 && { payoutApprovalAbove }),
    ...(refundApprovalAbove.length > 0 && { refundApprovalAbove }),
  }
  return change
}

/** Reads a logo and returns it as a `data:` URL. Only the path is used, so that it loads from this origin. */
async function pngOf(url: string): Promise<string> {
  const image = new Image()
  image.src = new URL(url).pathname
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return canvas.toDataURL('image/png')
}
