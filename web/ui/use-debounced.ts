import { useCallback, useEffect, useRef, useState } from 'react';

/** What is typed counts after this pause. */
export const TYPING_PAUSE = 300;

/** How the text of a field is understood. */
export interface Typing {
  /** Whether nothing more is to come: what is not whole counts once the field is left or Enter is pressed, and not by a pause. */
  isWhole: (text: string) => boolean;
  /** The text as the field has it once it counts. */
  written: (text: string) => string;
}

const AS_IT_IS: Typing = { isWhole: () => true, written: (text) => text };

/**
 * A field whose text counts after a pause in typing. `value` is what holds outside: when it changes by other means, the field
 * follows.
 */
export const useDebounced = (value: string, settle: (text: string) => void, typing = AS_IT_IS) => {
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
  const put = useCallback(
    (typed: string): void => {
      const written = typing.written(typed);
      settled.current = written;
      setText(written);
      latest.current(written);
    },
    [typing],
  );
  useEffect(() => {
    if (text === settled.current || !typing.isWhole(text)) return;
    const timer = setTimeout(() => put(text), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text, typing, put]);
  /** At once: Enter, or the field is left. */
  const flush = (): void => {
    if (text !== settled.current) put(text);
  };
  return { text, setText, flush };
};
