// What the page asks of the server. The key came behind the # of the first address; it is kept for
// this tab alone, and sent to nobody else.

const KEY = "scorecard-studio";
const given = location.hash.slice(1);
if (given) {
  sessionStorage.setItem(KEY, given);
  history.replaceState(null, "", location.pathname);
}

export class Refused extends Error {}
export class Gone extends Error {}

async function asked(path, options) {
  const headers = { "x-studio-token": sessionStorage.getItem(KEY) || "" };
  let answer;
  try {
    answer = await fetch(path, { ...options, headers, cache: "no-store", redirect: "error" });
  } catch {
    throw new Gone("The studio has ended. Start it again in the terminal: scorecard studio");
  }
  if (answer.status === 409) return null; // a later edit has made this one idle
  if (answer.ok) return answer;
  const told = await answer.json().catch(() => ({}));
  throw new Refused(told.error || `The server cannot do this (${answer.status}).`);
}

async function read(path, options) {
  const answer = await asked(path, options);
  return answer && answer.json();
}

export const state = () => read("/api/state");
export const revision = () => read("/api/revision");
export const post = (what, values) => read(`/api/${what}`, { method: "POST", body: JSON.stringify(values) });

export const upload = (file) =>
  read(`/api/table?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });

export async function save(path, name) {
  const answer = await asked(path);
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}
