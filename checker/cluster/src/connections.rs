//! How the processes come to have connections to each other.
//!
//! Each listens at a place of its own. All others connect to the first one, which then says to everybody where everybody
//! is; and each connects to those before it, for states. Whoever else connects is refused, and waited for no longer than
//! it takes to say who one is.

use std::io;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use crate::arriving::{
    Arriving, BETWEEN_LOOKS, TO_MEND, has_come, has_no_files, is_closed, why_lacking,
};
use crate::faults::{Failure, Fault, failed, gone};
use crate::frames;
use crate::handshake::{For, Hello, Refused, meet};
use crate::identity::{Identity, named};
use crate::messages::{Order, Word, printable};
use crate::patience::Until;
use crate::place::{Place, resolved, unknown};
use crate::voice::BETWEEN_SIGNS;

/// To look at whether somebody listens, before it is looked whether to go on.
const TO_CONNECT: Duration = Duration::from_secs(3);
/// A process that has come and ended again may be started anew; such a part of what others are waited for it has for that.
const TO_RETURN: u32 = 12;
/// Who was not at work for so long may have been missed.
const TO_MISS: Duration = Duration::from_secs(5);
/// Whoever is told how long others are waited for may hear of the end so much later; what is said at once comes within that.
const LATER: Duration = Duration::from_secs(5);

/// The connections of one process.
#[derive(Debug)]
pub struct Mesh {
    pub identity: Identity,
    /// For messages: those of the first process to all others, or that of another one to the first.
    pub messages: Vec<Option<TcpStream>>,
    /// For states, of all but itself.
    pub states: Vec<Option<TcpStream>>,
    /// What the first process has said already.
    pub(crate) said: Vec<Order>,
}

/// Asked now and then while others are waited for: whether to go on.
pub type GoesOn<'g> = &'g mut dyn FnMut() -> Result<(), Fault>;

impl Mesh {
    /// That of the first process.
    ///
    /// # Errors
    /// Where somebody does not come in time, or cannot be searched with, or whoever is asked says no.
    pub fn lead(
        identity: Identity,
        place: &Place,
        patience: Duration,
        goes_on: GoesOn<'_>,
    ) -> Result<Mesh, Fault> {
        let others = identity.processes as usize;
        let mut places = vec![String::new(); others];
        places[0] = place.named.clone();
        let mut mesh = Mesh::empty(identity);
        let arriving = Arriving::at(place, &mesh.identity)?;
        let mut looked = Instant::now();
        let mut longest = Duration::ZERO;
        let goes_on = &mut || {
            longest = longest.max(std::mem::replace(&mut looked, Instant::now()).elapsed());
            goes_on()
        };
        match mesh.gather((place, &arriving), patience, goes_on, places) {
            Ok(()) => Ok(mesh),
            Err(fault) => {
                // It may be to blame itself: while it was stopped others have waited for it in vain.
                let fault = match longest >= TO_MISS {
                    false => fault,
                    true => format!(
                        "{} was stopped for {} seconds while all met; {fault}",
                        named(0, mesh.identity.processes),
                        longest.as_secs()
                    ),
                };
                for stream in mesh.messages.iter_mut().flatten() {
                    // Who is gone needs not be told.
                    let _ = frames::write(stream, &Order::Broken(fault.clone()));
                }
                Err(fault)
            }
        }
    }

    /// Waits for all others, and tells them where everybody is.
    fn gather(
        &mut self,
        (place, arriving): (&Place, &Arriving),
        patience: Duration,
        goes_on: GoesOn<'_>,
        mut places: Vec<String>,
    ) -> Result<(), Fault> {
        let until = Instant::now() + patience;
        let to_return = patience / TO_RETURN;
        let all = self.identity.processes;
        let mut ended: Vec<Option<Instant>> = vec![None; all as usize];
        let look = &mut |come: &mut [Option<TcpStream>]| {
            goes_on()?;
            // One that ends may be started again; that is another one with the same number.
            for (at, one) in come.iter_mut().enumerate() {
                match one {
                    Some(stream) if is_closed(stream) => {
                        *one = None;
                        ended[at] = Some(Instant::now());
                    }
                    Some(_) => ended[at] = None,
                    None if ended[at].is_some_and(|ended| ended.elapsed() > to_return) => {
                        return Err(gone(at as u32, all));
                    }
                    None => {}
                }
            }
            Ok(())
        };
        let messages = &mut self.messages;
        arriving.take(messages, For::Messages, 1, until, look, &mut places)?;
        if let Some(hosts) = &place.hosts {
            agree(hosts, &places)?;
        }
        let is_lost = |at: u32| move |error| Failure::from(error).between(0, at, all);
        for (at, stream) in (0..).zip(&mut self.messages) {
            let Some(stream) = stream else { continue };
            let told = frames::write(stream, &Order::Places(places.clone()));
            told.map_err(is_lost(at))?;
        }
        let messages = &mut self.messages;
        let mut told = Instant::now();
        let mut have_met = vec![false; all as usize];
        have_met[0] = true;
        let mut look = || {
            // Whoever has met all that it has to meet waits for the first order, and counts on signs.
            let is_to_tell = told.elapsed() >= BETWEEN_SIGNS;
            if is_to_tell {
                told = Instant::now();
            }
            for (at, stream) in (0..).zip(messages.iter_mut()) {
                let Some(stream) = stream else { continue };
                match hear_signs(stream, at, all)? {
                    None => {}
                    Some(Sign::HasMet) => have_met[at as usize] = true,
                    Some(Sign::IsLost(why)) => {
                        // How it has ended may be known.
                        goes_on()?;
                        return Err(why);
                    }
                }
                if is_to_tell {
                    frames::write(stream, &Order::Alive).map_err(is_lost(at))?;
                }
            }
            goes_on()?;
            Ok(have_met.iter().position(|has_met| !has_met))
        };
        // Who does not find another one knows why, and says so by then.
        let until = Instant::now() + patience / 2 + later(patience);
        let states = &mut |_: &mut [Option<TcpStream>]| look().map(drop);
        arriving.take(&mut self.states, For::States, 1, until, states, &mut places)?;
        while let Some(late) = look()? {
            if Instant::now() >= until {
                let who = named(late as u32, all);
                return Err(format!("{who} has not met the others in time"));
            }
            thread::park_timeout(BETWEEN_LOOKS);
        }
        for (at, stream) in (0..).zip(&mut self.messages) {
            let Some(stream) = stream else { continue };
            frames::write(stream, &Order::AllHaveMet).map_err(is_lost(at))?;
        }
        Ok(())
    }

    /// That of another one, which finds the first at this address.
    ///
    /// # Errors
    /// As [`lead`](Mesh::lead).
    pub fn follow(
        identity: Identity,
        place: &Place,
        first: &str,
        patience: Duration,
        goes_on: GoesOn<'_>,
    ) -> Result<Mesh, Fault> {
        let mut mesh = Mesh::empty(identity);
        let Identity {
            process: own,
            processes: all,
            ..
        } = mesh.identity;
        let arriving = Arriving::at(place, &mesh.identity)?;
        let hello = Hello::new(&mesh.identity, For::Messages, &place.named);
        let until = Instant::now() + patience;
        let first = connected((place, first), 0, &hello, until, goes_on)?;
        // The first one waits for the others as long as this one for it, and then says so.
        let order = frames::read(&mut Until::within(&first, patience + LATER), None)
            .map_err(|error| Failure::from(error).between(own, 0, all))?;
        let mut places = match order {
            Order::Places(places) if places.len() == all as usize => places,
            Order::Broken(why) => return Err(printable(&why)),
            _ => return Err(format!("{} says something else first", named(0, all))),
        };
        let mut meeting = Meeting {
            first,
            ends: (own, all),
            said: Vec::new(),
            told: Instant::now(),
            goes_on,
        };
        let look = &mut || meeting.look();
        let met = mesh.meet_others((place, &arriving), &mut places, patience, look);
        let word = match &met {
            Ok(()) => Word::HasMet,
            Err(why) => Word::Failed(why.clone()),
        };
        let told = meeting.says(&word);
        met?;
        told?;
        meeting.waits_for_all(patience)?;
        let Meeting { first, said, .. } = meeting;
        mesh.messages[0] = Some(first);
        mesh.said = said;
        Ok(mesh)
    }

    /// Connects to those before it, and waits for those behind it: for half as long as for all to come.
    fn meet_others(
        &mut self,
        (place, arriving): (&Place, &Arriving),
        places: &mut [String],
        patience: Duration,
        goes_on: GoesOn<'_>,
    ) -> Result<(), Fault> {
        let Identity { process: own, .. } = self.identity;
        if let Some(hosts) = &place.hosts {
            agree(hosts, places)?;
        }
        let until = Instant::now() + patience / 2;
        for (at, there) in (0..own).zip(&*places) {
            let hello = Hello::new(&self.identity, For::States, &place.named);
            let states = connected((place, there), at, &hello, until, goes_on)?;
            self.states[at as usize] = Some(states);
        }
        let look = &mut |_: &mut [Option<TcpStream>]| goes_on();
        let after = own as usize + 1;
        // Who does not find this one knows why, and says so by then.
        let until = until + later(patience) / 2;
        arriving.take(&mut self.states, For::States, after, until, look, places)
    }

    fn empty(identity: Identity) -> Mesh {
        let none = || (0..identity.processes).map(|_| None).collect();
        Mesh {
            messages: none(),
            states: none(),
            said: Vec::new(),
            identity,
        }
    }
}

/// So much later than others, at most, one is told why they have not met.
fn later(patience: Duration) -> Duration {
    LATER.min(patience / 8)
}

/// Whether processes are where this one's file of hosts has them.
fn agree(hosts: &[String], places: &[String]) -> Result<(), Fault> {
    let all = places.len() as u32;
    match (0..)
        .zip(hosts.iter().zip(places))
        .find(|(_, (host, place))| host != place)
    {
        None => Ok(()),
        Some((process, (host, place))) => Err(format!(
            "{} is at `{}` where its file of hosts was read, and at `{host}` here; use the same file everywhere",
            named(process, all),
            printable(place)
        )),
    }
}

/// What the first process hears of another one while all meet, besides that it is there.
enum Sign {
    HasMet,
    /// It says nothing more, and why.
    IsLost(Fault),
}

/// # Errors
/// Where it says why it cannot go on.
fn hear_signs(stream: &mut TcpStream, at: u32, all: u32) -> Result<Option<Sign>, Fault> {
    let mut sign = None;
    while has_come(stream) {
        match frames::read(&mut Until::within(stream, LATER), None) {
            Ok(Word::Failed(why)) => return Err(failed(at, all, &why)),
            Ok(Word::HasMet) => sign = Some(Sign::HasMet),
            // What else it may say belongs to a search.
            Ok(_) => {}
            Err(error) => {
                return Ok(Some(Sign::IsLost(Failure::from(error).between(0, at, all))));
            }
        }
    }
    Ok(sign)
}

/// What a process and the first one say to each other while all meet.
struct Meeting<'m> {
    first: TcpStream,
    /// This process, and how many there are.
    ends: (u32, u32),
    /// What the first one has said, if anything: what to do next, say.
    said: Vec<Order>,
    /// When this one has said last that it is there.
    told: Instant,
    goes_on: GoesOn<'m>,
}

impl Meeting<'_> {
    /// Says that this process is there, and hears whether all is over.
    fn look(&mut self) -> Result<(), Fault> {
        (self.goes_on)()?;
        if self.told.elapsed() >= BETWEEN_SIGNS {
            self.told = Instant::now();
            self.says(&Word::Alive)?;
        }
        while has_come(&self.first) {
            match frames::read(&mut Until::within(&self.first, LATER), None) {
                Ok(Order::Broken(why)) => return Err(printable(&why)),
                Ok(order) => self.said.push(order),
                // What was said before is done first.
                Err(_) if self.all_have_met().is_some() => return Ok(()),
                Err(error) => return Err(self.is_lost(error)),
            }
        }
        Ok(())
    }

    fn says(&self, word: &Word) -> Result<(), Fault> {
        let told = frames::write(&mut Until::within(&self.first, LATER), word);
        told.map_err(|error| self.is_lost(error))
    }

    fn is_lost(&self, error: io::Error) -> Fault {
        let (own, all) = self.ends;
        Failure::from(error).between(own, 0, all)
    }

    /// Where the first one has said that, of all that it has said.
    fn all_have_met(&self) -> Option<usize> {
        let all_have = |order: &Order| matches!(order, Order::AllHaveMet);
        self.said.iter().position(all_have)
    }

    /// Nobody is missed before all have met each other: who has may have to wait for those who have not.
    fn waits_for_all(&mut self, patience: Duration) -> Result<(), Fault> {
        let until = Instant::now() + patience;
        loop {
            self.look()?;
            if let Some(at) = self.all_have_met() {
                self.said.drain(..=at);
                return Ok(());
            }
            if Instant::now() >= until {
                let who = named(0, self.ends.1);
                return Err(format!("{who} has not said in time that all have met"));
            }
            thread::park_timeout(BETWEEN_LOOKS);
        }
    }
}

/// Whether both of its ends are the same: TCP connects such a port to itself.
fn is_of_itself(stream: &TcpStream) -> bool {
    match (stream.local_addr(), stream.peer_addr()) {
        (Ok(own), Ok(other)) => own == other,
        _ => false,
    }
}

/// A connection to another process, which may come later than this one.
fn connected(
    (here, to): (&Place, &str),
    process: u32,
    hello: &Hello,
    until: Instant,
    goes_on: GoesOn<'_>,
) -> Result<TcpStream, Fault> {
    let who = named(process, hello.identity.processes);
    let mut last = String::from("nobody listens there");
    let mut lacking: Option<Instant> = None;
    while Instant::now() < until && lacking.is_none_or(|since| since.elapsed() < TO_MEND) {
        let addresses = match resolved(to) {
            Err(error) if !has_no_files(&error) => return Err(unknown(to, &error)),
            addresses => addresses,
        };
        let mut lacks = addresses.as_ref().err().map(why_lacking);
        for address in addresses.iter().flatten() {
            goes_on()?;
            let left = until.saturating_duration_since(Instant::now());
            let left = left.clamp(BETWEEN_LOOKS, TO_CONNECT);
            match here.connect(address, left) {
                // On one machine a port of this process's own may be the one that nobody listens at yet.
                Ok(stream) if is_of_itself(&stream) => {}
                Ok(mut stream) => match meet(&mut stream, hello, true) {
                    Ok(met) if met.identity.process == process => return Ok(stream),
                    Err(Refused::Differs(differs)) => return Err(differs),
                    Ok(_) | Err(Refused::Stranger) => {
                        "who answers there is somebody else, or another version, or does not listen to this machine"
                            .clone_into(&mut last);
                    }
                },
                Err(error) if has_no_files(&error) => lacks = Some(why_lacking(&error)),
                Err(error) => last = error.to_string(),
            }
        }
        match lacks {
            Some(why) => {
                last = why;
                lacking.get_or_insert_with(Instant::now);
            }
            None => lacking = None,
        }
        goes_on()?;
        thread::park_timeout(BETWEEN_LOOKS);
    }
    Err(format!("{who} was not found at `{to}`: {last}"))
}

#[cfg(test)]
mod tests;
