import { Boundary, lazyComponent } from './code-loading.tsx'
import './qr-code.css'

const load = () => import('./qr-code.tsx')

/**
 * A QR code. The module that draws it is loaded on demand, because it is larger than the code of an entire
 * page. If it cannot be loaded, nothing is shown, because the same information is also shown as text.
 */
export function QrCode(props: { text: string; label: string }) {
  const Loaded = lazyComponent(load)
  return (
    <Boundary isOptional>
      <Loaded {...props} />
    </Boundary>
  )
}
