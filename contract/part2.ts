/** Has to accompany each record of a 42 CFR Part 2 facility that is shown, printed or exported (42 CFR 2.32(a)(2)). */
export const PART2_NOTICE = '42 CFR part 2 prohibits unauthorized use or disclosure of these records.';
