/**
 * Returns a function that counts what a key, such as a user's id, does at the same time. It returns the function that ends the count,
 * or null once a key has `most` running. In memory and per process.
 */
export function atOnce(most: number): (key: string) => (() => void) | null {
  const running = new Map<string, number>();
  return (key) => {
    const count = running.get(key) ?? 0;
    if (count >= most) return null;
    running.set(key, count + 1);
    return () => {
      const left = (running.get(key) ?? 0) - 1;
      if (left > 0) running.set(key, left);
      else running.delete(key);
    };
  };
}
