// Answers that cost more than a page should and hardly change: kept for a while, asked for once at a time.

export const kept = <Key extends object, T>(keepMs: number, compute: (key: Key) => Promise<T>) => {
  const answers = new WeakMap<Key, { at: number; answer: Promise<T> }>()
  return (key: Key): Promise<T> => {
    const known = answers.get(key)
    if (known && performance.now() - known.at < keepMs) return known.answer
    const answer = compute(key)
    answers.set(key, { at: performance.now(), answer })
    answer.catch(() => answers.delete(key))
    return answer
  }
}
