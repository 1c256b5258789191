import { useId } from 'react';
import classes from './choice-bar.module.css';

/** A few choices side by side: native radio buttons, styled as a segmented bar. */
export const ChoiceBar = <T extends string>({
  label,
  value,
  choices,
  choose,
}: {
  label: string;
  value: T;
  choices: readonly { value: T; label: string }[];
  choose: (value: T) => void;
}) => {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classes.bar}>
      {choices.map((choice) => (
        <label key={choice.value} className={classes.choice}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => choose(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
};
