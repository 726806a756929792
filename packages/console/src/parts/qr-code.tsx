import QRCode from 'qrcode'

/** Width of the quiet zone around the code, which scanners need, in modules. */
const margin = 4

/** A QR code. It is always dark on light, even in dark mode. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'L' }).modules
  const squares = [...data].map((isDark, i) => {
    const [x, y] = [margin + (i % size), margin + Math.floor(i / size)]
    return isDark ? `M${x} ${y}h1v1h-1z` : ''
  })
  const side = size + 2 * margin
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${side} ${side}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={squares.join('')} />
    </svg>
  )
}
