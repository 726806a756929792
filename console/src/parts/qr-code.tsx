import QRCode from 'qrcode'

/** Squares of light around it, without which scanners do not see it. */
const margin = 4

/** A code to scan: dark on light by night, too. */
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
