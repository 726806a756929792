import { Suspense } from 'preact/compat'
import { Boundary, lazily } from './code.tsx'
import { Loading } from './notices.tsx'

const load = () => import('./qr-code.tsx')

/** A QR code, whose code is larger than the page’s; where it does not come, the text beside it is enough. */
export function QrCode(props: { text: string; label: string }) {
  const Loaded = lazily(load)
  return (
    <Boundary isOptional>
      <Suspense fallback={<Loading />}>
        <Loaded {...props} />
      </Suspense>
    </Boundary>
  )
}
