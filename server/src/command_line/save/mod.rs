//! `--save FILE`: a search that a limit or a key has ended goes on when the same command is given again.

mod sections;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use stubborn_engine::several::Several;
use stubborn_engine::{
    Asked, Disk, Limits, Options, Outcome, Progress, Reason, Unfinished, Verdict, Watch,
};
use tempfile::NamedTempFile;

use self::sections::{NoSections, Sections, empty};
use super::check::command_line_note;
use super::cluster::First;
use super::progress::ProgressLine;
use super::spill::Spill;
use crate::jobs::Fingerprint;
use crate::report::ProblemReport;

/// Follows a command's searches: shows how far they are, and keeps what a limit ends, if that is asked for.
pub struct Following {
    line: ProgressLine,
    save: Option<Save>,
    spill: Option<Spill>,
    /// Others who search, too.
    others: Option<First>,
    /// Somebody has asked for the end.
    interrupted: Arc<AtomicBool>,
}

impl Following {
    /// `shown`: whether it may be shown how far they are.
    ///
    /// # Errors
    /// Where the file to keep searches in is none of this program's, or cannot be read; or where no file for states
    /// can be created.
    pub fn new(shown: bool, save: Option<&Path>, on_disk: bool) -> Result<Following, String> {
        let interrupted = Arc::new(AtomicBool::new(false));
        if save.is_some() || on_disk {
            end_in_good_order(&interrupted);
        }
        Ok(Following {
            line: ProgressLine::new(shown),
            save: save.map(Save::open).transpose()?,
            spill: on_disk.then(|| Spill::into(env::temp_dir())).transpose()?,
            others: None,
            interrupted,
        })
    }

    /// With others who search, too.
    pub fn beside(&mut self, others: First) {
        self.others = Some(others);
    }

    /// Why the others were of no use, if so.
    pub fn fault(&self) -> Option<String> {
        self.others.as_ref()?.fault()
    }

    /// Whether somebody has asked for the end.
    pub fn interrupted(&self) -> &AtomicBool {
        &self.interrupted
    }

    /// What is drawn on the terminal meanwhile.
    pub fn line(&self) -> &ProgressLine {
        &self.line
    }

    /// Puts the file in order, and says what became of it, and what was on the disk meanwhile.
    pub fn finish(self) -> Vec<ProblemReport> {
        let mut notes = self.save.map_or_else(Vec::new, Save::finish);
        notes.extend(self.spill.and_then(Spill::note).map(command_line_note));
        notes
    }
}

/// The key that ends a program ends the search first, and the program only where it is pressed again.
fn end_in_good_order(interrupted: &Arc<AtomicBool>) {
    use signal_hook::consts::SIGINT;
    use signal_hook::flag::{register, register_conditional_shutdown};

    // What cannot be had is done without: then the program ends at once, as ever.
    let _ = register_conditional_shutdown(SIGINT, 130, Arc::clone(interrupted));
    let _ = register(SIGINT, Arc::clone(interrupted));
}

impl Watch for Following {
    fn progress(&self, progress: &Progress) {
        let others = self.others.as_ref();
        self.line.tell(progress, || {
            others.map_or_else(Vec::new, |others| others.efforts())
        });
    }

    fn decided(&self, _: usize, outcome: &Outcome) {
        let is_cut = matches!(
            outcome.verdict,
            Verdict::Undecided(
                Reason::States(_) | Reason::Memory(_) | Reason::Time | Reason::Cancelled
            )
        );
        if let (true, Some(save)) = (is_cut, &self.save) {
            save.is_cut.store(true, Relaxed);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    fn unfinished(&self) -> Option<&dyn Unfinished> {
        let save = self.save.as_ref()?;
        Some(save)
    }

    fn several(&self) -> Option<&dyn Several> {
        let others = self.others.as_ref()?;
        Some(others)
    }

    fn disk(&self) -> Option<&dyn Disk> {
        let spill = self.spill.as_ref()?;
        Some(spill)
    }
}

/// The file of `--save`.
struct Save {
    path: PathBuf,
    /// What it has had before.
    before: Option<Sections>,
    now: Mutex<Now>,
    /// A limit has ended a search.
    is_cut: AtomicBool,
    /// What was left could not be written.
    has_failed: AtomicBool,
    notes: Mutex<BTreeSet<String>>,
}

/// What the present command's searches have left.
#[derive(Default)]
struct Now {
    /// Files of their own.
    kept: Vec<(Fingerprint, Sections, NamedTempFile)>,
    /// Those that were gone on with from what was there before, and are not over.
    taken_up: BTreeSet<Fingerprint>,
    over: BTreeSet<Fingerprint>,
}

/// Two searches are one that are asked for the same. What is asked has its hash by itself, and the options, which
/// have no words of a user in them, as they are written for programmers.
fn fingerprint(asked: &Asked<'_>) -> Fingerprint {
    let options = Options {
        limits: Limits::default(),
        threads: None,
        ..*asked.options
    };
    let options = format!("{options:?}");
    Fingerprint::of(&(asked.system, asked.properties, options, asked.reduced))
}

impl Save {
    fn open(path: &Path) -> Result<Save, String> {
        let named = path.display();
        let mut notes = BTreeSet::new();
        let anew = "everything is searched from the beginning";
        let before = match Sections::open(path) {
            Ok(before) => before,
            Err(NoSections::Foreign) => {
                return Err(format!(
                    "`{named}` is there already, and is no file that `--save` has written; another name \
                     would mend it"
                ));
            }
            Err(NoSections::Unreadable(error)) => {
                return Err(format!("`{named}` cannot be read: {error}"));
            }
            Err(NoSections::OfAnother) => {
                notes.insert(format!(
                    "`{named}` was written by another version of stubborn, so that {anew}"
                ));
                None
            }
            Err(NoSections::Damaged) => {
                notes.insert(format!("`{named}` is damaged, so that {anew}"));
                None
            }
        };
        Ok(Save {
            path: path.to_owned(),
            before,
            now: Mutex::default(),
            is_cut: AtomicBool::new(false),
            has_failed: AtomicBool::new(false),
            notes: Mutex::new(notes),
        })
    }

    fn folder(&self) -> &Path {
        let folder = self.path.parent();
        folder
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
    }

    fn now(&self) -> std::sync::MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, note: String) {
        let notes = self.notes.lock();
        notes.unwrap_or_else(PoisonError::into_inner).insert(note);
    }

    fn finish(self) -> Vec<ProblemReport> {
        let named = self.path.display();
        match self.put_in_order() {
            Ok(true) => self.note(format!(
                "`{named}` has what was searched until then; the same command goes on from there"
            )),
            // Why not has been told where it could not be written.
            Ok(false) if self.is_cut.load(Relaxed) && !self.has_failed.load(Relaxed) => {
                self.note(format!(
                    "nothing is kept in `{named}`, so that the same command begins anew: what was ended is no \
                     breadth-first search of states, or it had hardly begun"
                ));
            }
            Ok(false) => {}
            Err(error) => self.note(format!("`{named}` cannot be written: {error}")),
        }
        let notes = self.notes.into_inner();
        let notes = notes.unwrap_or_else(PoisonError::into_inner).into_iter();
        notes.map(command_line_note).collect()
    }

    /// Whether the file has anything that the same command could go on with.
    fn put_in_order(&self) -> io::Result<bool> {
        let mut now = self.now();
        let Now {
            kept,
            taken_up,
            over,
        } = &mut *now;
        if kept.is_empty() {
            let before = self.before.as_ref();
            let was_of_use = before.is_some_and(|all| all.asked().any(|one| over.contains(one)));
            if was_of_use && taken_up.is_empty() {
                fs::remove_file(&self.path)?;
            }
            return Ok(!taken_up.is_empty());
        }
        let mut file = match (&mut kept[..], taken_up.is_empty()) {
            ([_], true) => kept.remove(0).2,
            _ => {
                let mut file = empty(self.folder())?;
                for (_, sections, _) in kept.iter() {
                    sections.copy(&|_| true, file.as_file_mut())?;
                }
                if let Some(before) = &self.before {
                    before.copy(&|one| taken_up.contains(one), file.as_file_mut())?;
                }
                file
            }
        };
        file.as_file_mut().sync_all()?;
        file.persist(&self.path)?;
        Ok(true)
    }
}

impl Unfinished for Save {
    fn left(&self, asked: &Asked<'_>) -> Option<Box<dyn Read + '_>> {
        let name = fingerprint(asked);
        let mut now = self.now();
        // A search of this command, which has had the first part of the time.
        let kept = now.kept.iter().find(|(of, ..)| *of == name);
        if let Some((_, sections, _)) = kept {
            let left = sections.of(name)?.ok()?;
            return Some(Box::new(left));
        }
        let before = self.before.as_ref()?;
        if now.over.contains(&name) {
            return None;
        }
        if !before.has(&name) {
            self.note(format!(
                "`{}` is of another text, or of other options: what it has not is searched from the \
                 beginning",
                self.path.display()
            ));
            return None;
        }
        match before.of(name)? {
            Ok(left) => {
                now.taken_up.insert(name);
                Some(Box::new(left))
            }
            Err(_) => {
                self.note(format!(
                    "`{}` is damaged, so that what it has is searched from the beginning",
                    self.path.display()
                ));
                None
            }
        }
    }

    fn is_useless(&self, asked: &Asked<'_>) {
        let name = fingerprint(asked);
        let mut now = self.now();
        now.taken_up.remove(&name);
        now.kept.retain(|(of, ..)| *of != name);
        self.note(format!(
            "`{}` does not fit the model, so that what it has is searched from the beginning",
            self.path.display()
        ));
    }

    fn keep(&self, asked: &Asked<'_>, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
        self.is_cut.store(true, Relaxed);
        let name = fingerprint(asked);
        let written = Sections::written(self.folder(), name, write);
        let mut now = self.now();
        match written {
            Ok((sections, file)) => {
                now.taken_up.remove(&name);
                now.kept.retain(|(of, ..)| *of != name);
                now.kept.push((name, sections, file));
            }
            Err(error) => {
                self.has_failed.store(true, Relaxed);
                self.note(format!(
                    "`{}` cannot be written: {error}",
                    self.path.display()
                ));
            }
        }
    }

    fn cannot_keep(&self, _: &Asked<'_>) {
        self.is_cut.store(true, Relaxed);
    }

    fn is_over(&self, asked: &Asked<'_>) {
        let name = fingerprint(asked);
        let mut now = self.now();
        now.taken_up.remove(&name);
        now.kept.retain(|(of, ..)| *of != name);
        now.over.insert(name);
    }
}
