import type { ReactNode } from 'react';
import classes from './explain.module.css';

/** A step of an explanation: a question, and sentences that answer it. */
export const Step = ({
  title,
  sentences,
  none,
  children,
}: {
  title: string;
  sentences: readonly string[];
  /** What stands here without any sentence. */
  none?: string;
  children?: ReactNode;
}) => (
  <section className={classes.step}>
    <h2>{title}</h2>
    {sentences.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
    {sentences.length === 0 && none && <p className={classes.dim}>{none}</p>}
    {children}
  </section>
);
