// Ridge logistic regression by truncated Newton: each Newton step is solved by preconditioned conjugate gradients,
// so a design of thousands of word columns costs only its non-zero entries. Everything is deterministic.

/** Rows of features in compressed form: row r owns entries starts[r] .. starts[r + 1]. */
export interface Design {
  readonly rows: number
  readonly columns: number
  readonly starts: Int32Array
  readonly columnOf: Int32Array
  readonly values: Float64Array
}

interface LogisticOptions {
  /** L2 penalty of each coefficient, or one for all. The intercept is penalized only by `interceptPenalty`. */
  readonly penalties: number | Float64Array
  /** The values the penalty shrinks the coefficients toward; defaults to zero. */
  readonly centers?: Float64Array
  readonly interceptCenter?: number
  readonly interceptPenalty?: number
  /** Upper bound of each row's probability, which is ceiling · sigmoid(log-odds). */
  readonly ceilings?: Float64Array
  /** Coefficients held at zero (1 = held). */
  readonly held?: Uint8Array
  /** Starting point; a fit of a similar problem saves most iterations. */
  readonly start?: Pick<LogisticFit, 'intercept' | 'coefficients'>
  /** The fit has converged when the largest gradient per row is at most this. */
  readonly tolerance?: number
}

type LogisticFit = ReturnType<typeof fitLogistic>

const mostIterations = 60

/** The penalized maximum-likelihood fit. Fisher weights keep every step a descent step also with ceilings. */
export const fitLogistic = (design: Design, labels: ArrayLike<number>, options: LogisticOptions) => {
  if (labels.length !== design.rows) throw new RangeError(`${labels.length} labels for ${design.rows} rows`)
  const size = design.columns + 1
  const problem = objective(design, labels, options)
  const point = new Float64Array(size)
  const begin = options.start?.coefficients ?? options.centers
  if (begin) point.set(begin)
  point[size - 1] = options.start?.intercept ?? options.interceptCenter ?? 0
  if (options.held) for (let j = 0; j < design.columns; j++) if (options.held[j]) point[j] = 0
  const tolerance = options.tolerance ?? 1e-7
  let state = problem(point)
  let converged = false
  for (let iteration = 0; iteration < mostIterations && !converged; iteration++) {
    const isFlat = largest(state.gradient) <= tolerance * Math.max(1, design.rows)
    const next = isFlat ? undefined : lineSearch(problem, state, conjugateStep(state, size))
    if (next) state = next
    else converged = true
  }
  return { intercept: state.point[size - 1]!, coefficients: state.point.slice(0, size - 1), converged }
}

/** The state after a step, shortened until it lowers the loss; undefined when the step does not lower the loss. */
export const lineSearch = (problem: Objective, state: State, step: Float64Array): State | undefined => {
  const loss = state.loss[0]!
  const slope = dot(step, state.gradient)
  let stride = 1
  for (let halving = 0; halving < 40; halving++) {
    const next = problem(added(state.point, step, stride))
    if (next.loss[0]! <= loss + 1e-4 * stride * slope)
      return loss - next.loss[0]! > 1e-12 * (1 + Math.abs(loss)) ? next : undefined
    stride /= 2
  }
  return undefined
}

/** Intercept plus coefficients · row, for every row. */
export const logOdds = (fit: Pick<LogisticFit, 'intercept' | 'coefficients'>, design: Design): Float64Array => {
  const out = new Float64Array(design.rows)
  for (let r = 0; r < design.rows; r++) {
    let sum = fit.intercept
    for (let e = design.starts[r]!; e < design.starts[r + 1]!; e++)
      sum += fit.coefficients[design.columnOf[e]!]! * design.values[e]!
    out[r] = sum
  }
  return out
}

export const sigmoid = (x: number): number => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)))

export const logit = (p: number): number => Math.log(p / (1 - p))

export const predictLogistic = (fit: Pick<LogisticFit, 'intercept' | 'coefficients'>, design: Design): Float64Array =>
  logOdds(fit, design).map(sigmoid)

export interface SignedFit extends LogisticFit {
  /** Columns whose coefficient would have the wrong sign; they are held at zero. */
  readonly violations: readonly number[]
}

/**
 * A fit whose coefficients keep the given signs (+1, −1; 0 = any): coefficients with the wrong sign are held at zero and
 * the others are fitted again, until every sign is right.
 */
export const fitSigned = (
  design: Design,
  labels: ArrayLike<number>,
  signs: ArrayLike<number>,
  options: LogisticOptions,
): SignedFit => {
  const heldAtZero = Uint8Array.from(options.held ?? new Uint8Array(design.columns))
  const violations: number[] = []
  let start = options.start
  for (;;) {
    const fit = fitLogistic(design, labels, { ...options, held: heldAtZero, start })
    start = fit
    const wrong: number[] = []
    for (let j = 0; j < design.columns; j++) {
      if (!heldAtZero[j] && signs[j]! * fit.coefficients[j]! < 0) wrong.push(j)
    }
    if (wrong.length === 0) return { ...fit, violations }
    for (const j of wrong) {
      heldAtZero[j] = 1
      violations.push(j)
    }
  }
}

type Objective = ReturnType<typeof objective>
export type State = ReturnType<Objective>

/** Loss, gradient and curvature at a point. The last element of every vector is the intercept. */
const objective = (design: Design, labels: ArrayLike<number>, options: LogisticOptions) => {
  const { rows, columns, starts, columnOf, values } = design
  const size = columns + 1
  const penalty = new Float64Array(size)
  if (typeof options.penalties === 'number') penalty.fill(options.penalties, 0, columns)
  else penalty.set(options.penalties)
  penalty[columns] = options.interceptPenalty ?? 0
  const center = new Float64Array(size)
  if (options.centers) center.set(options.centers)
  center[columns] = options.interceptCenter ?? 0
  const heldAtZero = options.held

  return (point: Float64Array) => {
    const gradient = new Float64Array(size)
    const diagonal = new Float64Array(size)
    const fisher = new Float64Array(rows)
    // In an array: V8 13.6 (Node 24) keeps a number as a pointer to a number object, and when it replaces the running loop with faster
    // code (on-stack replacement), two evaluations can end up with the same object. The loss of one then becomes that of the next, no
    // step seems to lower it, and the fit stops too early.
    const loss = new Float64Array(1)
    for (let r = 0; r < rows; r++) {
      let eta = point[columns]!
      for (let e = starts[r]!; e < starts[r + 1]!; e++) eta += point[columnOf[e]!]! * values[e]!
      const s = sigmoid(eta)
      const ceiling = options.ceilings?.[r] ?? 1
      const y = labels[r]!
      let pull: number
      let weight: number
      if (ceiling >= 1) {
        loss[0]! += eta > 0 ? Math.log1p(Math.exp(-eta)) + (1 - y) * eta : Math.log1p(Math.exp(eta)) - y * eta
        pull = s - y
        weight = s * (1 - s)
      } else {
        const p = Math.min(Math.max(ceiling * s, 1e-12), 1 - 1e-12)
        const rise = ceiling * s * (1 - s)
        loss[0]! -= y * Math.log(p) + (1 - y) * Math.log(1 - p)
        pull = ((p - y) / (p * (1 - p))) * rise
        weight = (rise * rise) / (p * (1 - p))
      }
      fisher[r] = weight
      gradient[columns] = gradient[columns]! + pull
      diagonal[columns] = diagonal[columns]! + weight
      for (let e = starts[r]!; e < starts[r + 1]!; e++) {
        const j = columnOf[e]!
        const x = values[e]!
        gradient[j] = gradient[j]! + pull * x
        diagonal[j] = diagonal[j]! + weight * x * x
      }
    }
    for (let j = 0; j < size; j++) {
      const away = point[j]! - center[j]!
      loss[0]! += 0.5 * penalty[j]! * away * away
      gradient[j] = gradient[j]! + penalty[j]! * away
      diagonal[j] = diagonal[j]! + penalty[j]! + 1e-9
      if (heldAtZero?.[j]) gradient[j] = 0
    }
    const curve = (direction: Float64Array): Float64Array => {
      const out = new Float64Array(size)
      for (let r = 0; r < rows; r++) {
        let along = direction[columns]!
        for (let e = starts[r]!; e < starts[r + 1]!; e++) along += direction[columnOf[e]!]! * values[e]!
        along *= fisher[r]!
        out[columns] = out[columns]! + along
        for (let e = starts[r]!; e < starts[r + 1]!; e++) {
          const j = columnOf[e]!
          out[j] = out[j]! + along * values[e]!
        }
      }
      for (let j = 0; j < size; j++) {
        out[j] = out[j]! + (penalty[j]! + 1e-9) * direction[j]!
        if (heldAtZero?.[j]) out[j] = 0
      }
      return out
    }
    return { point, loss, gradient, diagonal, curve }
  }
}

/** Solves curvature · step = −gradient closely enough for a Newton step (forcing term of Eisenstat and Walker). */
const conjugateStep = (state: State, size: number): Float64Array => {
  const step = new Float64Array(size)
  const residual = new Float64Array(size)
  const scaled = new Float64Array(size)
  for (let j = 0; j < size; j++) {
    residual[j] = -state.gradient[j]!
    scaled[j] = residual[j]! / state.diagonal[j]!
  }
  const direction = scaled.slice()
  let energy = dot(residual, scaled)
  const start = Math.sqrt(dot(residual, residual))
  const goal = start * Math.min(0.1, Math.sqrt(start) * 0.01)
  for (let k = 0; k < 250; k++) {
    const bent = state.curve(direction)
    const bend = dot(direction, bent)
    if (!(bend > 0)) break
    const stride = energy / bend
    for (let j = 0; j < size; j++) {
      step[j] = step[j]! + stride * direction[j]!
      residual[j] = residual[j]! - stride * bent[j]!
      scaled[j] = residual[j]! / state.diagonal[j]!
    }
    if (Math.sqrt(dot(residual, residual)) <= goal) break
    const nextEnergy = dot(residual, scaled)
    const ratio = nextEnergy / energy
    for (let j = 0; j < size; j++) direction[j] = scaled[j]! + ratio * direction[j]!
    energy = nextEnergy
  }
  return step
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let j = 0; j < a.length; j++) sum += a[j]! * b[j]!
  return sum
}

const added = (a: Float64Array, b: Float64Array, stride: number): Float64Array => {
  const sum = new Float64Array(a.length)
  for (let j = 0; j < a.length; j++) sum[j] = a[j]! + stride * b[j]!
  return sum
}

const largest = (a: Float64Array): number => {
  let most = 0
  for (let j = 0; j < a.length; j++) most = Math.max(most, Math.abs(a[j]!))
  return most
}
