import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

type Props = {
  /** Content of the button that opens the panel. */
  label: ComponentChildren
  class?: string
  /** Whether the panel is initially open. */
  isOpen?: boolean
  onClose?(): void
  /** Returns the content of the panel. */
  children(close: () => void): ComponentChildren
}

/**
 * A button that opens a panel below it; on narrow screens, at the bottom of the window. It closes on Escape and when
 * the user clicks or moves the focus elsewhere.
 */
export function Popover({
  label,
  class: className,
  isOpen: isOpenAtFirst = false,
  onClose,
  children,
}: Props) {
  const details = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const close = () => {
    if (details.current?.contains(document.activeElement)) details.current.querySelector('summary')?.focus()
    setOpen(false)
    onClose?.()
  }
  const [isAtEnd, setAtEnd] = useState(false)
  useLayoutEffect(() => {
    if (!isOpen) return undefined
    // The panel must not reach beyond the window.
    const place = () => {
      const width = details.current?.querySelector<HTMLElement>('.panel')?.offsetWidth ?? 0
      const start = details.current?.getBoundingClientRect().left ?? 0
      setAtEnd(start + width > document.documentElement.clientWidth)
    }
    place()
    addEventListener('resize', place)
    return () => removeEventListener('resize', place)
  }, [isOpen])
  useEffect(() => {
    if (!isOpen) return undefined
    details.current?.querySelector<HTMLElement>('.panel :is(input, select, button)')?.focus()
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !details.current?.contains(target)) close()
    }
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && close()
    addEventListener('pointerdown', leave)
    addEventListener('focusin', leave)
    addEventListener('keydown', closeOnEscape)
    return () => {
      removeEventListener('pointerdown', leave)
      removeEventListener('focusin', leave)
      removeEventListener('keydown', closeOnEscape)
    }
  }, [isOpen])
  return (
    <details
      ref={details}
      class={['popover', className].filter(Boolean).join(' ')}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{label}</summary>
      {isOpen && <div class={isAtEnd ? 'panel at-end' : 'panel'}>{children(close)}</div>}
    </details>
  )
}
