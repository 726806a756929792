import { useEffect, useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { paletteOf } from './palette.ts'
import { type PictureFault, pixelsOf, readPicture } from './picture.ts'
import { useTexts } from './texts.ts'

type Props = {
  src: string | null
  isFixed: boolean
  onChoose(png: string | null): void
  onPalette(colors: string[]): void
}

/** A field for a logo, which can be chosen, dropped or pasted. */
export function LogoField({ src, isFixed, onChoose, onPalette }: Props) {
  const t = useTexts()
  const [fault, setFault] = useState<PictureFault>()
  const [isOver, setOver] = useState(false)
  const take = async (file: File | undefined) => {
    if (!file || isFixed) return
    const picture = await readPicture(file)
    setFault('fault' in picture ? picture.fault : undefined)
    if ('png' in picture) onChoose(picture.png)
  }
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => void take(clipboardData?.files[0])
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [onChoose, isFixed])
  return (
    <Field at="brand.logo" label={t.logo} hint={t.logoHint} issue={fault && t.pictureFaults[fault]}>
      {(controls) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the field inside does the same for the keyboard
        <div
          class={isOver ? 'drop over' : 'drop'}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            void take(event.dataTransfer?.files[0])
          }}
        >
          {src && (
            <img
              src={src}
              alt=""
              onLoad={({ currentTarget }) => onPalette(paletteOf(pixelsOf(currentTarget)))}
            />
          )}
          <input
            {...controls}
            type="file"
            accept="image/*"
            onChange={({ currentTarget }) => {
              void take(currentTarget.files?.[0])
              // Otherwise, the same file could not be chosen again.
              currentTarget.value = ''
            }}
          />
          {src && (
            <button type="button" class="quiet" onClick={() => onChoose(null)}>
              {t.removeLogo}
            </button>
          )}
        </div>
      )}
    </Field>
  )
}
