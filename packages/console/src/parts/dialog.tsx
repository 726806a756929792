import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

export type DialogProps = {
  title: string
  onClose(): void
  children: ComponentChildren
}

/** A modal dialog. The browser traps focus in it, and Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isUnmounted = useRef(false)
  const titleId = useId()
  // A layout effect opens the dialog before the user can see it or press a key.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      // Closing the dialog returns focus to the element that opened it; merely removing it would not. The close
      // event is ignored here, because the user did not cause it.
      isUnmounted.current = true
      element?.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={titleId}
      onClose={() => isUnmounted.current || onClose()}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}

type DialogButtonProps = {
  label: string
  /** Name of the object that the button is for, which only screen readers announce. */
  about?: string | undefined
  class?: string
  onOpen?(): void
  /** Returns the dialog. */
  children(close: () => void): ComponentChildren
}

/** A button that opens a dialog. */
export function DialogButton({ label, about, class: className, onOpen, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    onOpen?.()
    setOpen(true)
  }
  return (
    <>
      <button type="button" class={className} onClick={open}>
        {label}
        {about && ' '}
        {about && <span class="unseen">{about}</span>}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  )
}
