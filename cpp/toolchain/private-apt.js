import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputOf, run } from './run.js'

/** Debian's keys, as its own package installs them; without them nothing is fetched. */
const MACHINE_KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'

/**
 * One suite of Debian's archive, read by apt with sources, lists, cache and records of its own:
 * it changes nothing on the machine and needs no root. Apt checks every signature and hash as ever.
 */
export class PrivateApt {
  #folder
  #suite

  /**
   * @param {string} folder an empty or missing folder for apt's files
   * @param {string} suite such as 'forky'
   */
  constructor(folder, suite) {
    this.#folder = folder
    this.#suite = suite
  }

  /**
   * Fetch the suite's package list from the first of the machine's mirrors that has it.
   *
   * @param {string} [keyring] the keys to trust
   * @throws {Error} if no mirror has the suite or its signature does not verify
   */
  async open(keyring = MACHINE_KEYRING) {
    for (const folder of ['lists/partial', 'archives/partial', 'empty']) {
      mkdirSync(join(this.#folder, folder), { recursive: true })
    }
    writeFileSync(join(this.#folder, 'status'), '')
    const mirrors = this.#mirrors()
    if (mirrors.length === 0) {
      throw new Error("The machine's apt configuration names no mirror of Debian's archive.")
    }
    if (!existsSync(keyring)) {
      throw new Error(`${keyring} is missing: install Debian's package debian-archive-keyring.`)
    }
    /** @type {unknown} */
    let failure
    for (const mirror of mirrors) {
      const source = `deb [target=Packages signed-by=${keyring}] ${mirror} ${this.#suite} main\n`
      writeFileSync(join(this.#folder, 'sources.list'), source)
      try {
        // By itself apt only warns about a list that it could not fetch or verify.
        await this.#apt('apt-get', ['update', '-o', 'APT::Update::Error-Mode=any'])
        return
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /**
   * A package's record: its dependencies, without versions and alternatives.
   *
   * @param {string[]} names
   * @returns {Map<string, string[]>} by package; a name that is no real package is left out
   */
  dependencies(names) {
    const shown = outputOf(
      'apt-cache',
      [...this.#options(), 'show', '--no-all-versions', ...names],
      ENVIRONMENT,
    )
    return new Map(
      (shown ?? '')
        .split('\n\n')
        .filter((record) => record.includes('Package: '))
        .map((record) => [
          field(record, 'Package'),
          [field(record, 'Pre-Depends'), field(record, 'Depends')]
            .join(', ')
            .split(',')
            .map((alternatives) => alternatives.trim().split(/[ :|]/)[0])
            .filter((name) => name !== ''),
        ]),
    )
  }

  /**
   * Download packages.
   *
   * @param {string[]} names
   * @returns {Promise<string[]>} paths of the .deb files
   */
  async download(names) {
    const archives = join(this.#folder, 'archives')
    await this.#apt('apt-get', ['download', ...names], archives)
    return readdirSync(archives)
      .filter((name) => name.endsWith('.deb'))
      .map((name) => join(archives, name))
  }

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {string} [cwd]
   */
  #apt(command, args, cwd) {
    return run(command, [...this.#options(), ...args], { cwd, quiet: true, ...ENVIRONMENT })
  }

  /** Where apt keeps what it would otherwise keep, under a lock that only root may take, in /var. */
  #stateOptions() {
    return aptOptions({
      'Dir::State': this.#folder,
      'Dir::State::Lists': join(this.#folder, 'lists'),
      'Dir::State::status': join(this.#folder, 'status'),
      'Dir::Cache': this.#folder,
    })
  }

  #options() {
    return [
      ...this.#stateOptions(),
      ...aptOptions({
        'Dir::Etc::sourcelist': join(this.#folder, 'sources.list'),
        'Dir::Etc::sourceparts': join(this.#folder, 'empty'),
        // The machine's pins are about its own suite.
        'Dir::Etc::preferences': join(this.#folder, 'no-preferences'),
        'Dir::Etc::preferencesparts': join(this.#folder, 'empty'),
        // Root's apt otherwise downloads as user _apt, who may not write into the project.
        'APT::Sandbox::User': 'root',
        'Acquire::Retries': '3',
      }),
    ]
  }

  /**
   * The addresses from which this machine gets Debian: taken from apt, which knows one-line and
   * deb822 sources and mirror lists alike. `--print-uris` asks no network.
   */
  #mirrors() {
    const args = [...this.#stateOptions(), 'update', '--print-uris']
    const uris = outputOf('apt-get', args, ENVIRONMENT) ?? ''
    const suites = [machineSuite(), 'stable', 'testing', 'unstable', 'sid'].join('|')
    const found = uris.matchAll(new RegExp(`^'([^']+)/dists/(?:${suites})/InRelease'`, 'gm'))
    return [...new Set(Array.from(found, ([, mirror]) => mirror))]
  }
}

/** The suite that this machine runs, such as 'bookworm'. */
export function machineSuite() {
  const release = readFileSync('/etc/os-release', 'utf8')
  return /^VERSION_CODENAME=(\w+)/m.exec(release)?.[1] ?? 'stable'
}

/** Messages and numbers in the form that the code above reads. */
const ENVIRONMENT = { env: { LC_ALL: 'C' } }

/** @param {Record<string, string>} settings */
function aptOptions(settings) {
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

/**
 * @param {string} record
 * @param {string} name
 */
function field(record, name) {
  return new RegExp(`^${name}: (.*)$`, 'm').exec(record)?.[1] ?? ''
}
