import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import classes from './options.module.css';

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** One row of a list of options. */
export interface Option {
  key: string;
  label: string;
  /** What tells it from others, such as a count. */
  aside?: ReactNode;
  /** Whether it is the current choice; the row that the keys are on, where there is none. */
  selected?: boolean;
}

interface Keys<T> {
  /** The options shown; none while the list is closed. */
  options: readonly T[];
  take: (option: T) => void;
  close: () => void;
}

/** The keys of a field above a list of options, and the attributes that connect the two. The focus stays in the field. */
export const useOptionKeys = <T,>({ options, take, close }: Keys<T>) => {
  const id = useId();
  const [at, setActive] = useState(0);
  const active = Math.min(at, Math.max(options.length - 1, 0));
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (options.length === 0 || !(by || event.key === 'Enter' || event.key === 'Escape')) return;
    if (event.key === 'Escape') {
      // The list closes, and not the dialog that it is in.
      event.stopPropagation();
      close();
      return;
    }
    event.preventDefault();
    if (by) setActive((active + by + options.length) % options.length);
    else take(options[active] as T);
  };
  return {
    id,
    active,
    setActive,
    onKeyDown,
    field: {
      role: 'combobox',
      'aria-expanded': options.length > 0,
      'aria-controls': id,
      'aria-autocomplete': 'list',
      'aria-activedescendant': options[active] ? `${id}-${active}` : undefined,
      autoComplete: 'off',
      maxLength: 100,
    } as const,
  };
};

interface ListProps {
  id: string;
  label: string;
  options: readonly Option[];
  active: number;
  take: (at: number) => void;
}

/** The options below a field, which keeps the focus and handles the keys (`useOptionKeys`). */
export const OptionList = ({ id, label, options, active, take }: ListProps) => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (options.length > 0) list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' });
  }, [active, options.length]);
  return (
    <div ref={list} id={id} role="listbox" aria-label={label} className={classes.options} hidden={options.length === 0}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={option.key}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={option.selected ?? index === active}
          data-active={index === active || undefined}
          className={classes.option}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(index)}
        >
          <span className={classes.words}>{option.label}</span>
          {option.aside !== undefined && <span className={classes.aside}>{option.aside}</span>}
        </div>
      ))}
    </div>
  );
};

/** What the list below a field says in words: nothing found, more than it shows, or a failure. */
export const OptionNote = ({ children }: { children: string | null }) =>
  children && (
    <p role="status" className={classes.note}>
      {children}
    </p>
  );
