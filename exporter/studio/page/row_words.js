// @ts-check
/** The words of a parameter that are not its name: what is wrong with it. */

/** Name to the fields of a row what stands below them. @param {HTMLElement} row */
export function describe(row) {
  const words = [...row.querySelectorAll(".why:not([hidden])")].map((one) => one.id).join(" ");
  for (const field of row.querySelectorAll(".control :is(input:not([type=range]), select, textarea)")) {
    if (words) field.setAttribute("aria-describedby", words);
    else field.removeAttribute("aria-describedby");
  }
}
