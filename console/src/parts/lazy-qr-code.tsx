import { Suspense } from 'preact/compat'
import { Boundary, lazyComponent } from './code-loading.tsx'
import { Loading } from './notices.tsx'

const load = () => import('./qr-code.tsx')

/**
 * A QR code. It is loaded separately, because its code is larger than that of a whole page. If it cannot be
 * loaded, the text next to it is enough.
 */
export function QrCode(props: { text: string; label: string }) {
  const Loaded = lazyComponent(load)
  return (
    <Boundary isOptional>
      <Suspense fallback={<Loading />}>
        <Loaded {...props} />
      </Suspense>
    </Boundary>
  )
}
