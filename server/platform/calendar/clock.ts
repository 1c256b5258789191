/** What the time is. Passed in, so that tests and the demo's past can set it. */
export type Clock = () => Date;
