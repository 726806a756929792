/**
 * For `node --import`: shifts the process's clock by `CLOCK_SHIFT_MS`. On SIGUSR2, the shift becomes
 * `CLOCK_JUMP_MS`, or zero. The program itself has no such switch.
 */
let shiftMs = Number(process.env.CLOCK_SHIFT_MS)
process.on('SIGUSR2', () => {
  shiftMs = Number(process.env.CLOCK_JUMP_MS ?? 0)
})

const RealDate = Date
const now = () => RealDate.now() + shiftMs

class ShiftedDate extends RealDate {
  constructor(...given: []) {
    if (given.length === 0) super(now())
    else super(...given)
  }

  static override now = now
}

globalThis.Date = ShiftedDate as DateConstructor
