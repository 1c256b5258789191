import { useCallback, useEffect, useRef, useState } from 'react';

/** Typed text is applied after this pause, in milliseconds. */
export const TYPING_PAUSE = 300;

/** How a field treats its text. */
export interface Typing {
  /** Whether the text is complete. Incomplete text is not applied after a pause, only on Enter or when the field is left. */
  isWhole: (text: string) => boolean;
  /** Returns the text in the form that the field shows once it is applied. */
  written: (text: string) => string;
}

const AS_IT_IS: Typing = { isWhole: () => true, written: (text) => text };

/** A field whose text is applied after a pause in typing. `value` is the applied text: if it changes elsewhere, the field follows. */
export const useDebounced = (value: string, apply: (text: string) => void, typing = AS_IT_IS) => {
  const [text, setText] = useState(value);
  const applied = useRef(value);
  const latest = useRef(apply);
  useEffect(() => {
    latest.current = apply;
  });
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);
  const put = useCallback(
    (typed: string): void => {
      const written = typing.written(typed);
      applied.current = written;
      setText(written);
      latest.current(written);
    },
    [typing],
  );
  useEffect(() => {
    if (text === applied.current || !typing.isWhole(text)) return;
    const timer = setTimeout(() => put(text), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [text, typing, put]);
  /** Applies the text now: on Enter, or when the field is left. */
  const flush = (): void => {
    if (text !== applied.current) put(text);
  };
  return { text, setText, flush };
};
