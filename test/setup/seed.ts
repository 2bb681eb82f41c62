import fc from 'fast-check'

// Property tests draw the same cases in every run, so a failure is never a matter of luck. FAST_CHECK_SEED=<integer>
// draws others.
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_115) })
