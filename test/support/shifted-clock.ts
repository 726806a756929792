/**
 * For `node --import`: the process believes that it is `CLOCK_SHIFT_MS` later than it is, until it is sent SIGUSR2: then
 * `CLOCK_JUMP_MS`, or not at all. The program has no such switch.
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
