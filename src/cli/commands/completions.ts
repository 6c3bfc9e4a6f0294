import { BackstepError } from "../../base/error.ts";
import { type Command, COMMON } from "../command.ts";

/** `backstep completions bash|zsh|fish`. */
export const completions: Command = {
  name: "completions",
  summary: "Print a completion script for a shell",
  positionals: [{ name: "shell", description: "bash, zsh or fish", required: true }],
  options: [],
  examples: [
    "backstep completions bash > ~/.local/share/bash-completion/completions/backstep",
    "backstep completions zsh > ~/.zfunc/_backstep",
    "backstep completions fish > ~/.config/fish/completions/backstep.fish",
  ],
  async run(args, io) {
    const { groups } = await import("../commands.ts");
    const commands = groups.flatMap(([, list]) => list);
    const shell = args.positionals[0] ?? "";
    const script = { bash, zsh, fish }[shell];
    if (!script) {
      throw new BackstepError("usage", `Cannot print completions for "${shell}"`, {
        hint: "bash, zsh or fish",
      });
    }
    io.raw(script(commands));
    return 0;
  },
};

/** A text inside single quotes of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function optionsOf(command: Command) {
  return [...command.options, ...COMMON];
}

function bash(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const values = optionsOf(command).filter((o) => o.choices)
      .map((o) =>
        `    --${o.name}) COMPREPLY=($(compgen -W ${
          quoted((o.choices ?? []).join(" "))
        } -- "$word")); return ;;`
      );
    const names = optionsOf(command).map((o) => `--${o.name}`).join(" ");
    return [
      `  ${command.name})`,
      `    case "$before" in`,
      ...values,
      `    esac`,
      `    [[ $word == -* ]] && COMPREPLY=($(compgen -W ${quoted(names)} -- "$word")) ;;`,
    ].join("\n");
  });
  return `# bash completion of backstep; written by \`backstep completions bash\`
_backstep() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W ${quoted(commands.map((c) => c.name).join(" "))} -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
}
complete -o default -F _backstep backstep
`;
}

function zsh(commands: readonly Command[]): string {
  const list = commands.map((c) => `    ${quoted(`${c.name}:${c.summary.replaceAll(":", " ")}`)}`).join("\n");
  const cases = commands.map((command) => {
    const specs = optionsOf(command).map((o) => {
      const text = o.description.replaceAll(/[[\]:]/g, " ");
      const value = o.kind === "boolean"
        ? ""
        : `:${o.name}:${o.choices ? `(${o.choices.join(" ")})` : "_files"}`;
      return `      ${quoted(`--${o.name}[${text}]${value}`)}`;
    });
    return `    ${command.name})\n    _arguments \\\n${[...specs, "      '*:file:_files'"].join(" \\\n")} ;;`;
  });
  return `#compdef backstep
# zsh completion of backstep; written by \`backstep completions zsh\`
_backstep() {
  local -a commands
  commands=(
${list}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${cases.join("\n")}
  esac
}
_backstep "$@"
`;
}

function fish(commands: readonly Command[]): string {
  const lines = ["# fish completion of backstep; written by `backstep completions fish`"];
  for (const command of commands) {
    lines.push(
      `complete -c backstep -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
    );
    for (const option of optionsOf(command)) {
      const value = option.kind === "boolean"
        ? ""
        : option.choices
        ? ` -x -a ${quoted(option.choices.join(" "))}`
        : " -r";
      lines.push(
        `complete -c backstep -n '__fish_seen_subcommand_from ${command.name}' -l ${option.name}${value} -d ${
          quoted(option.description)
        }`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}
