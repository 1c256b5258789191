import { useId } from 'react';
import classes from './choice-bar.module.css';

/** One of a few, side by side: the browser's own radio buttons in the look of a bar. */
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
