import { useEffect, useRef, useState } from 'react';

/** What is typed counts after this pause. */
export const TYPING_PAUSE = 300;

/**
 * A field whose text counts after a pause in typing. `value` is what holds outside: when it changes by other means, the field
 * follows.
 */
export const useDebounced = (value: string, settle: (text: string) => void) => {
  const [text, setText] = useState(value);
  const settled = useRef(value);
  const latest = useRef(settle);
  useEffect(() => {
    latest.current = settle;
  });
  useEffect(() => {
    if (value === settled.current) return;
    settled.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === settled.current) return;
    const timer = setTimeout(() => {
      settled.current = text;
      latest.current(text);
    }, TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  /** At once: Enter, or the field is left. */
  const flush = (): void => {
    if (text === settled.current) return;
    settled.current = text;
    latest.current(text);
  };
  return { text, setText, flush };
};
